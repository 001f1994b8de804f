import { WfError } from "@wf/protocol";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addSite, type NewSite, parseSites } from "./index.ts";

const CLUSTER: NewSite = {
  name: "cluster",
  settings: {
    backend: "slurm",
    host: "ssh://me@login.example.org:22",
    storage: "/scratch/me/wf",
    slurm: { account: "lab", partitions: [{ name: "main", maxTime: "1d" }, { name: "short" }] },
  },
  head: ["SLURM 22.05.8, 4 nodes.", "Change what does not suit you."],
  remarks: {
    storage: "lustre, 1.2 TB free",
    "slurm.account": "others: bio",
    "slurm.partitions": "a job goes to the first that it fits into",
    "slurm.partitions.1.name": "a minute",
  },
  tails: { slurm: ["qos: long"] },
};

const ADDED = `  # SLURM 22.05.8, 4 nodes.
  # Change what does not suit you.
  cluster:
    backend: slurm
    host: ssh://me@login.example.org:22
    storage: /scratch/me/wf # lustre, 1.2 TB free
    slurm:
      account: lab # others: bio
      partitions:
        # a job goes to the first that it fits into
        - name: main
          maxTime: 1d
        - name: short # a minute
      # qos: long
`;

/** What a cluster may call its partitions and folders, if it means harm. */
const HOSTILE = fc.oneof(
  fc.constantFrom(
    `x\${TOKEN}`,
    `\${TOKEN:-}`,
    "$$",
    `$\${TOKEN}`,
    "main\n  evil:\n    backend: local",
    "a: b",
    "# x",
    "\r- y",
  ),
  fc.string({ minLength: 1, unit: "binary" }),
);

describe("a site that is added", () => {
  test("says what was found there, letter by letter, and nothing else", () => {
    fc.assert(
      fc.property(HOSTILE, HOSTILE, (name, words) => {
        const site: NewSite = {
          name: "cluster",
          settings: { backend: "slurm", storage: `/s/${name}`, slurm: { partitions: [{ name }] } },
          head: [words],
          remarks: { storage: words },
          tails: { slurm: [words] },
        };
        const text = addSite("sites:\n  mine:\n    backend: local\n", "sites.yaml", site);
        let sites: ReturnType<typeof parseSites>;
        try {
          sites = parseSites(text, "sites.yaml", { env: { TOKEN: "secret" }, readFile: () => "" });
        } catch (error) {
          // Some names no scheduler can have: such a site is not added.
          expect(error).toMatchObject({ code: "WF_SITE_INVALID", message: expect.stringMatching(/^sites\.cluster\./) });
          return;
        }
        expect([...sites.keys()]).toEqual(["local", "mine", "cluster"]);
        expect(sites.get("cluster")).toMatchObject({ storage: `/s/${name}`, slurm: { partitions: [{ name }] } });
      }),
      cases(300),
    );
  });

  test("makes the file where there is none", () => {
    const text = addSite("", "sites.yaml", CLUSTER);
    expect(text).toBe(
      `# Where runs happen. \`wf sites\` lists what is here, \`wf doctor --site NAME\` looks at it.\nsites:\n${ADDED}`,
    );
    expect(parseSites(text, "sites.yaml").get("cluster")).toMatchObject({
      storage: "/scratch/me/wf",
      slurm: { account: "lab", partitions: [{ name: "main", maxTime: 86_400 }, { name: "short" }] },
    });
  });

  test.each([
    ["no sites yet", "# mine\nsites: {}\n", `# mine\nsites:\n${ADDED}`],
    ["nothing behind the word", "# mine\nsites:\n", `# mine\nsites:\n${ADDED}`],
    ["an include alone", "include: others.yaml\n", `include: others.yaml\nsites:\n${ADDED}`],
  ])("stands in a file with %s", (_, before, after) => {
    expect(addSite(before, "sites.yaml", CLUSTER)).toBe(after);
  });

  const FULL = `# the lab's sites
include: [others.yaml] # from the wiki

sites:
  # this machine
  local:
    resources: { cpus: 6, memory: "\${MEM:-24GB}" } # leave some for the browser
    env: { OMP_NUM_THREADS: "1" }

  # --- a second one ---
  overnight:
    placement: 'copy'
    # never more
    resources:
      cpus: 16

# the end
`;

  test("leaves everything else as it is, comments and blank lines included", () => {
    const text = addSite(FULL, "sites.yaml", CLUSTER);
    expect(text).toBe(FULL.replace("      cpus: 16\n", `      cpus: 16\n\n${ADDED}`));
  });

  test("takes the place of what had its name, and of nothing else", () => {
    const other = { ...CLUSTER, settings: { ...CLUSTER.settings, storage: "/work/me/wf" } };
    const once = addSite(FULL, "sites.yaml", CLUSTER);
    const twice = addSite(once, "sites.yaml", other);
    expect(twice).toBe(once.replace("/scratch/me/wf", "/work/me/wf"));
    expect(addSite(twice, "sites.yaml", CLUSTER)).toBe(once);
  });

  test("is indented as the others are, and may stand between them", () => {
    const wide = "sites:\n    # mine\n    cluster:\n        placement: copy # so\n    b: {}\n";
    expect(addSite(wide, "sites.yaml", CLUSTER)).toBe(
      `sites:\n${ADDED.replaceAll(/^/gm, "  ").trimEnd()}\n    b: {}\n`,
    );
  });

  test.each([
    ["a file that cannot be read", "sites:\n  a: [", 2],
    ["sites that stand in braces", "# so\nsites: { a: {} }", 2],
  ])("is not added to %s", (_, text, line) => {
    let error: unknown;
    try {
      addSite(text, "sites.yaml", CLUSTER);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(WfError);
    expect(error).toMatchObject({ code: "WF_SITE_INVALID", where: `sites.yaml:${line}` });
  });
});
