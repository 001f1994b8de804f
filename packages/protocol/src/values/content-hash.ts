import { z } from "zod";

/** What content lies under in every store. It becomes a path, so it has this form or is refused. */
export const ContentHash = z.string().regex(/^[0-9a-f]{64}$/, "not a content hash");
