/** What a transport has done so far, for those who watch what a cluster is asked for. */
export interface Counts {
  /** Connections that were made, those that were lost included. On this machine there are none. */
  readonly connections: number;
  /** Tries to connect, successful or not. */
  readonly connectionAttempts: number;
  /** Channels that are open now, of commands and of files. */
  readonly channelsOpen: number;
  /** The most that were open at once. */
  readonly channelsPeak: number;
  /** Commands that were started, those of the transport itself included. */
  readonly commands: number;
  /** Commands that wait for a channel or for the budget. */
  readonly commandsWaiting: number;
  /** Over the wire, encrypted. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
}
