/**
 * A real ssh server for tests, benchmarks and trials.
 *
 * @example
 * const server = await SshServer.start({ config: ["MaxSessions 2"] });
 * const site = sshTransport({ destination: "site", configFile: server.clientConfig() });
 */
export { freePort, makeKey, SshServer, type SshServerOptions, whyNoSshServer } from "./ssh-server.ts";
