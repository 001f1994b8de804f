import { WfError } from "@wf/protocol";
import { expect, test } from "vitest";
import { findSite, parseSites, type SitesWorld } from "./index.ts";

function mistake(text: string, world?: SitesWorld): WfError {
  try {
    parseSites(text, "sites.yaml", world);
  } catch (error) {
    if (error instanceof WfError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

test("this machine is always there, with every default", () => {
  for (const text of ["", "# nothing yet\n", "sites: {}"]) {
    expect(findSite(parseSites(text, "sites.yaml"), "local")).toEqual({
      name: "local",
      backend: "local",
      resources: {},
      clustering: { strategy: "none", tasksPerJob: 16, stages: {} },
      placement: "shared",
      env: {},
    });
  }
});

test("a file can say more about this machine and about others", () => {
  const sites = parseSites(
    `
sites:
  local:
    resources: { cpus: 4 }
  big:
    resources: { cpus: 32, memory: 64GB, gpus: 2 }
    clustering: { strategy: horizontal, tasksPerJob: 50, stages: { train: 1 } }
    placement: copy
    python: /opt/python/bin/python3
    env: { OMP_NUM_THREADS: "1" }
`,
    "sites.yaml",
  );
  expect(findSite(sites, "local").resources).toEqual({ cpus: 4 });
  expect(findSite(sites, "big")).toEqual({
    name: "big",
    backend: "local",
    resources: { cpus: 32, memory: 64e9, gpus: 2 },
    clustering: { strategy: "horizontal", tasksPerJob: 50, stages: { train: 1 } },
    placement: "copy",
    python: "/opt/python/bin/python3",
    env: { OMP_NUM_THREADS: "1" },
  });
});

test.each([
  ["wrong YAML", "sites:\n  big:\n   - a\n  b", 4, ""],
  ["a name twice", "sites:\n  big: {}\n  big: {}", 3, "unique"],
  ["an unknown setting", "sites:\n  big:\n    placement: copy\n    backend: local\n    partition: gpu", 5, "partition"],
  ["an unknown setting of the file", "sites: {}\ndefault: big", 2, "default"],
  ["an unknown resource", "sites:\n  big:\n    resources:\n      gpus: 1\n      cores: 4", 5, "cores"],
  ["a wrong type", "sites:\n  big:\n    resources:\n      cpus: many", 4, "sites.big.resources.cpus"],
  ["no amount of memory", "sites:\n  big:\n    resources:\n      memory: lots", 4, '"lots" is not an amount of bytes'],
  ["an unknown backend", "sites:\n  big:\n    backend: cloud", 3, "sites.big.backend"],
  ["no task in a job", "sites:\n  big:\n    clustering:\n      tasksPerJob: 0", 4, "tasksPerJob"],
  ["a site's wrong name", "sites:\n  ok: {}\n  1st: {}", 3, "sites.1st"],
  ["a list", "- big", 1, "the file"],
  ["a cluster without storage", "sites:\n  c:\n    backend: slurm", 3, "storage"],
  ["a host of this machine", "sites:\n  c:\n    host: ssh://a@b", 3, "backend: slurm"],
  [
    "a wrong host",
    "sites:\n  c:\n    backend: slurm\n    storage: /s\n    host: https://a/b",
    5,
    "ssh://user@host:port",
  ],
  ["a relative storage", "sites:\n  c:\n    backend: slurm\n    storage: scratch", 4, "absolute path"],
  [
    "an option of sbatch that is none",
    "sites:\n  c:\n    backend: slurm\n    storage: /s\n    slurm:\n      directives: [mail me]",
    6,
    "option of sbatch",
  ],
  [
    "two directives in one",
    'sites:\n  c:\n    backend: slurm\n    storage: /s\n    slurm:\n      account: "a\\n#SBATCH -p x"',
    6,
    "one word",
  ],
  [
    "a poll that grows rarer before it begins",
    "sites:\n  c:\n    backend: slurm\n    storage: /s\n    slurm:\n      poll: { every: 2m }",
    6,
    "every must not",
  ],
])("%s is refused with its line", (_, text, line, message) => {
  const error = mistake(text);
  expect([error.code, error.where]).toEqual(["WF_SITE_INVALID", `sites.yaml:${line}`]);
  expect(error.message).toContain(message);
  expect(error.hint).toContain("docs/sites.md");
});

test("an unknown site says which ones there are", () => {
  expect(() => findSite(parseSites("sites: { big: {} }", "sites.yaml"), "bgi")).toThrow(
    expect.objectContaining({ code: "WF_SITE_UNKNOWN", hint: expect.stringContaining("local, big") }),
  );
});

test("a cluster: what is not said has its default", () => {
  const text = `
sites:
  cluster:
    backend: slurm
    host: ssh://me@login.example.org
    storage: ~/wf
    slurm:
      account: lab
      partitions:
        - { name: short, maxTime: 1h, cpusPerNode: 64, memoryPerNode: 256GB }
        - { name: gpu, gpusPerNode: 4, gres: "gpu:a100" }
      setup: [module load python/3.11]
`;
  expect(findSite(parseSites(text, "sites.yaml"), "cluster")).toMatchObject({
    backend: "slurm",
    host: "ssh://me@login.example.org",
    storage: "~/wf",
    slurm: {
      account: "lab",
      partitions: [
        { name: "short", maxTime: 3600, cpusPerNode: 64, memoryPerNode: 256e9, gpusPerNode: 0, gres: "gpu" },
        { name: "gpu", gpusPerNode: 4, gres: "gpu:a100" },
      ],
      exclusive: false,
      directives: [],
      setup: ["module load python/3.11"],
      shell: "/bin/sh",
      limits: { jobs: 1000, arraySize: 1000 },
      batchWindow: 0.2,
      poll: { every: 5, atMost: 60 },
      budget: { commands: 120, per: 60 },
    },
  });
});

test("a pool of HTCondor: what is not said has its default", () => {
  const text = `
sites:
  pool:
    backend: htcondor
    storage: ~/wf
    placement: transfer
    htcondor:
      requirements: HasAVX2 && Memory > 4000
      accountingGroup: group_physics.lungs
      description: ["+WantFlocking = True", notification = Error]
      largest: { cpus: 64, memory: 256GB }
`;
  expect(findSite(parseSites(text, "sites.yaml"), "pool")).toMatchObject({
    backend: "htcondor",
    placement: "transfer",
    htcondor: {
      requirements: "HasAVX2 && Memory > 4000",
      accountingGroup: "group_physics.lungs",
      description: ["+WantFlocking = True", "notification = Error"],
      setup: [],
      shell: "/bin/sh",
      largest: { cpus: 64, memory: 256e9, gpus: 0 },
      limits: { jobs: 1000, perSubmission: 1000 },
      batchWindow: 0.2,
      poll: { every: 5, atMost: 60 },
      budget: { commands: 120, per: 60 },
    },
  });
});

test.each([
  ["{ placement: transfer }", 'only a site with "backend: htcondor" can have "transfer"'],
  ["{ backend: slurm, storage: /s, htcondor: {} }", 'is a setting of sites with "backend: htcondor"'],
  ["{ backend: htcondor, storage: /s, slurm: {} }", 'is a setting of sites with "backend: slurm"'],
  ["{ backend: htcondor }", 'needs "storage"'],
  ["{ backend: htcondor, storage: /s, placement: copy }", '"copy" needs "htcondor.store"'],
  ...[
    "url: http://store.example.org/wf, tokenVariable: T",
    "url: http://store.example.org/wf, writeTokenVariable: T",
    "url: http://127.0.0.1@store.example.org/wf, tokenVariable: T",
    "url: http://localhost.example.org/wf, tokenVariable: T",
  ].map((store): [string, string] => [
    `{ backend: htcondor, storage: /s, htcondor: { store: { ${store} } } }`,
    "a token goes over https alone",
  ]),
  ["{ backend: htcondor, storage: /s, htcondor: { description: [queue 5] } }", 'must be "key = value"'],
  ["{ backend: htcondor, storage: /s, htcondor: { description: [Log = /x] } }", "is for wf to say"],
  ["{ backend: htcondor, storage: /s, htcondor: { description: [max_retries=3] } }", "is for wf to say"],
  ["{ backend: htcondor, storage: /s, htcondor: { rank: Memory \\\\ } }", "must not end with a backslash"],
  ["{ backend: htcondor, storage: /s, htcondor: { store: { url: /x } } }", "must be ssh://"],
])("of a pool, refused: %s", (site, message) => {
  expect(mistake(`sites:\n  pool: ${site}`).message).toContain(message);
});

test("variables of the environment are put in, and a number stays one", () => {
  const text = `
sites:
  big:
    resources:
      cpus: \${CPUS}
      memory: \${MEMORY:-8GB}
    python: /opt/\${VERSION}/bin/python3
    env: { ID: "\${CPUS}", PRICE: $$5, KEPT: $HOME, LATER: "$\${HOME}" }
`;
  const world = { env: { CPUS: "16", VERSION: "3.12" }, readFile: () => "" };
  expect(findSite(parseSites(text, "sites.yaml", world), "big")).toMatchObject({
    resources: { cpus: 16, memory: 8e9 },
    python: "/opt/3.12/bin/python3",
    env: { ID: "16", PRICE: "$5", KEPT: "$HOME", LATER: `\${HOME}` },
  });
});

test("a variable that is not set is named, with its line", () => {
  const error = mistake(`sites:\n  big:\n    python: \${NOWHERE}/python3`, { env: {}, readFile: () => "" });
  expect([error.code, error.where]).toEqual(["WF_SITE_INVALID", "sites.yaml:3"]);
  expect(error.message).toContain("NOWHERE");
  expect(error.hint).toContain("export NOWHERE=");
});

const FILES: Readonly<Record<string, string>> = {
  "lab/sites.yaml": "include: more/team.yaml\nsites: { big: { resources: { cpus: 2 } } }",
  "lab/more/team.yaml":
    "include: [../base.yaml]\nsites: { huge: { resources: { cpus: 64 } }, big: { placement: copy } }",
  "lab/base.yaml": `sites:\n  base:\n    resources:\n      cpus: \${CPUS}`,
  "lab/loop.yaml": "sites: {}\ninclude: loop.yaml",
  "lab/broken.yaml": "\ninclude: wrong.yaml",
  "lab/wrong.yaml": "sites:\n  big: { cores: 2 }",
};
const files: SitesWorld = {
  env: { CPUS: "3" },
  readFile(path) {
    const text = FILES[path];
    if (text === undefined) throw new Error("no such file");
    return text;
  },
};

test("files are included from where they lie; what a file says itself goes before", () => {
  const sites = parseSites(FILES["lab/sites.yaml"] as string, "lab/sites.yaml", files);
  expect([...sites.values()].map(({ name, resources, placement }) => [name, resources.cpus, placement])).toEqual([
    ["local", undefined, "shared"],
    ["base", 3, "shared"],
    ["huge", 64, "shared"],
    ["big", 2, "shared"],
  ]);
});

test.each([
  ["lab/loop.yaml", "lab/loop.yaml:2", "includes itself"],
  ["lab/broken.yaml", "lab/wrong.yaml:2", "cores"],
])("a mistake in an include of %s is found at %s", (file, where, message) => {
  const found = (() => {
    try {
      return parseSites(FILES[file] as string, file, files);
    } catch (error) {
      return error;
    }
  })();
  expect(found).toMatchObject({ code: "WF_SITE_INVALID", where, message: expect.stringContaining(message) });
});

test("a file that cannot be included is named with the line that asks for it", () => {
  const error = mistake("sites: {}\ninclude: gone.yaml", files);
  expect(error.where).toBe("sites.yaml:2");
  expect(error.message).toContain("gone.yaml cannot be included: no such file");
});

test.each([
  "url: https://store.example.org/wf, tokenVariable: R, writeTokenVariable: W",
  "url: 'http://127.0.0.1:8080/wf', tokenVariable: R",
  "url: 'http://[::1]/wf', tokenVariable: R",
  "url: http://localhost, tokenVariable: R",
  "url: http://store.example.org/wf",
])("a store whose token nobody on the way can read, or that has none: %s", (store) => {
  const text = `sites: { pool: { backend: htcondor, storage: /s, htcondor: { store: { ${store} } } } }`;
  expect(findSite(parseSites(text, "sites.yaml"), "pool").htcondor?.store?.url).toMatch(/^https?:/);
});

test("files that include each other again and again are read once each", () => {
  const read: string[] = [];
  const readFile = (path: string) => {
    read.push(path);
    const number = Number(path.replace(/\D/g, ""));
    return number === 40 ? "sites: { last: { backend: local } }" : `include: [s${number + 1}, ./s${number + 1}]`;
  };
  const sites = parseSites("include: [s1, s1]", "sites.yaml", { env: {}, readFile });
  expect([...sites.keys()]).toEqual(["local", "last"]);
  expect(read).toHaveLength(40);
});

test.each([
  [
    "whose aliases grow without bounds",
    `a: &a [x,x,x,x,x,x,x,x,x]\n${["b", "c", "d", "e", "f", "g"].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcdef"[at]}`).join(",")}]`).join("\n")}\n`,
  ],
  ["that is nested too deeply", `sites: ${"[".repeat(20_000)}`],
])("a file %s is a mistake of the file", (_, text) => {
  expect(mistake(text)).toMatchObject({ code: "WF_SITE_INVALID", where: expect.stringContaining("sites.yaml") });
});
