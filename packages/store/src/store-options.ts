import { type Clock, systemClock } from "./clock.ts";
import { type ReadFileSystemType, readFileSystemType } from "./network-file-system.ts";
import { type IsProcessAlive, isProcessAlive, type ProcessIdentity, thisProcess } from "./process-identity.ts";

export interface StoreOptions {
  /** Only look. The store must exist. Default: false. */
  readonly readonly?: boolean | undefined;
  readonly now?: Clock | undefined;
  readonly readFileSystemType?: ReadFileSystemType | undefined;
  /** Who asks and owns. Default: this process. */
  readonly here?: ProcessIdentity | undefined;
  readonly isProcessAlive?: IsProcessAlive | undefined;
}

export type StoreSettings = Required<{ [K in keyof StoreOptions]: NonNullable<StoreOptions[K]> }>;

export function storeSettings(options: StoreOptions): StoreSettings {
  return {
    readonly: options.readonly ?? false,
    now: options.now ?? systemClock,
    readFileSystemType: options.readFileSystemType ?? readFileSystemType,
    here: options.here ?? thisProcess(),
    isProcessAlive: options.isProcessAlive ?? isProcessAlive,
  };
}
