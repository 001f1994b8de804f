import { expect, test } from "vitest";
import { recording } from "../testing/recording.ts";
import { parseAssociations } from "./parse-associations.ts";

test("accounts of a user, one of them for a partition alone", () => {
  expect(parseAssociations(recording("slurm-22.05", "sacctmgr-assoc.two-accounts").stdout)).toEqual([
    {
      cluster: "lab",
      account: "bio",
      partition: "gpu",
      qos: ["normal"],
      defaultQos: null,
      maxSubmit: Number.POSITIVE_INFINITY,
    },
    { cluster: "lab", account: "lab", partition: null, qos: ["long", "normal"], defaultQos: "normal", maxSubmit: 500 },
  ]);
});

test("words of a database that is away are no accounts", () => {
  expect(parseAssociations("sacctmgr: error: Sending PersistInit msg: Connection refused\n")).toEqual([]);
});
