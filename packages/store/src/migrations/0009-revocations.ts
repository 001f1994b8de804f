/** Successes that a scheduler may yet turn out to have ended, and what becomes of a run in which one has. */
export const sql = `
CREATE TABLE unconfirmed ( -- Tasks that ended well in jobs of which nobody knows yet how they ended. Their run goes on from them, but nobody takes them from the cache.
  task_id INTEGER PRIMARY KEY REFERENCES tasks (id) ON DELETE CASCADE, -- The task.
  attempt TEXT NOT NULL -- The attempt that ended well.
) STRICT;

CREATE TABLE doubts ( -- Tasks of a run in which a success was revoked, until the run has come to them again.
  task_id INTEGER PRIMARY KEY REFERENCES tasks (id) ON DELETE CASCADE, -- The task.
  key TEXT -- The key with which it still stands; NULL if it has none.
) STRICT;
`;
