export { ERROR_CODES, EXIT, type ErrorCode } from "./error-codes.ts";
export { canonical, type Json } from "./json.ts";
export { DatasetManifest, DirectoryManifest, type FileRef, ListManifest, Manifest } from "./manifest.ts";
export { FAILURE_CLASSES, FailureClass, SERIES_COLUMNS, TaskRecord, Usage } from "./record.ts";
export { AbsentValue, DatasetValue, DirectoryValue, FileValue, JsonValue, type ListValue, Value } from "./value.ts";
export { WfError, type WfErrorDetails } from "./wf-error.ts";
