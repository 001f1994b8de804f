import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { findKnownHosts } from "./known-hosts.ts";

const found = (text: string, name: string) => findKnownHosts(text, "file", name).map(({ line }) => line);

it("finds a machine by its name, its address with a port, and patterns", () => {
  const text = [
    "# login.org ssh-ed25519 AAAA",
    "login.org,10.0.0.1 ssh-ed25519 AAAA a comment",
    "[login.org]:2222 ssh-rsa BBBB",
    "*.cluster.org,!bad.cluster.org ecdsa-sha2-nistp256 CCCC",
    "node? ssh-ed25519 DDDD",
    "login.org",
    "",
    "login.org ssh-ed25519",
    "log.n.org ssh-ed25519 EEEE",
  ].join("\n");
  expect(found(text, "login.org")).toEqual([2]);
  expect(found(text, "10.0.0.1")).toEqual([2]);
  expect(found(text, "[login.org]:2222")).toEqual([3]);
  expect(found(text, "a.cluster.org")).toEqual([4]);
  expect(found(text, "bad.cluster.org")).toEqual([]);
  expect(found(text, "node7")).toEqual([5]);
  expect(found(text, "node12")).toEqual([]);
  expect(found(text, "logXn.org")).toEqual([]);
});

it("finds a machine by the hash of its name", () => {
  const salt = Buffer.from("0123456789abcdefghij");
  const hash = createHmac("sha1", salt).update("[login.org]:2222").digest("base64");
  const text = `|1|${salt.toString("base64")}|${hash} ssh-ed25519 AAAA\n`;
  expect(found(text, "[login.org]:2222")).toEqual([1]);
  expect(found(text, "login.org")).toEqual([]);
});

it("tells marks apart, and leaves out those that it does not know", () => {
  const text = "@revoked * ssh-ed25519 AAAA\n@cert-authority *.org ssh-rsa BBBB\n@strange * ssh-rsa CCCC\n";
  expect(findKnownHosts(text, "file", "login.org")).toEqual([
    { marker: "revoked", type: "ssh-ed25519", key: "AAAA", file: "file", line: 1 },
    { marker: "cert-authority", type: "ssh-rsa", key: "BBBB", file: "file", line: 2 },
  ]);
});
