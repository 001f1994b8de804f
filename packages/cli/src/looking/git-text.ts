import type { GitState } from "@wf/store";

/** `main 3f2a91b0c1, with uncommitted changes`. */
export function gitText(git: Pick<GitState, "commit" | "branch" | "diffHash"> | null): string {
  if (git === null) return "not in a repository";
  const commit = git.commit === null ? "no commit yet" : git.commit.slice(0, 10);
  return `${git.branch ?? "detached"} ${commit}${git.diffHash === null ? "" : ", with uncommitted changes"}`;
}
