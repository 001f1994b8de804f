# Succeeds if what was set up is newer than all that it was made from. `./wf` sources this file, so
# it costs every start: one `find`, and no other process. `root` is the root of the repository.
#
# `.setup/ready` bears the time at which the last set-up began and holds the path of its Node, whose
# own change of state (an upgrade in place) counts as well: native modules are made for one version.

ready=$root/.setup/ready
node=$(command -v node)

[ -f "$ready" ] && [ -d "$root/node_modules" ] && [ -f "$root/packages/cli/bundle/main.js" ] &&
  IFS= read -r ready_for <"$ready" && [ "$ready_for" = "$node" ] &&
  changed=$(
    find "$node" "$root/package.json" "$root/pnpm-lock.yaml" "$root/pnpm-workspace.yaml" \
      "$root/tsconfig.json" "$root/tsconfig.base.json" \
      "$root/packages" "$root/runtimes/launcher" "$root/scripts" \
      \( -name node_modules -o -name dist -o -name bundle -o -name tests -o -name __pycache__ \) -prune \
      -o -path "$node" -cnewer "$ready" -print \
      -o -type f -newer "$ready" ! -name "*.test.ts" ! -name "*.test-d.ts" ! -name "*.md" -print
  ) && [ -z "$changed" ]
