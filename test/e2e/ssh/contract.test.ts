/** The transport over ssh keeps the same promises as the one of this machine. */
import { sshTransport } from "@wf/transport";
import { transportContract } from "@wf/transport/contract";
import { SshServer } from "@wf/transport/testing";
import { describeWithSsh, temporaryFolder } from "./ssh-site.ts";

describeWithSsh("a real sshd", () => {
  transportContract("ssh", async () => {
    const server = await SshServer.start();
    const transport = sshTransport({ destination: "site", configFile: server.clientConfig() });
    return {
      transport,
      root: temporaryFolder(),
      local: temporaryFolder(),
      async dispose() {
        await transport.close();
        await server.remove();
      },
    };
  });
});
