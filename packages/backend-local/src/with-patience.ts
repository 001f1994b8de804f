/**
 * Does something with a signal that is aborted with another one, or when a time has passed. Not `AbortSignal.any`:
 * Node 20 collects a timeout that nothing else holds, and it never comes.
 */
export async function withPatience<T>(
  ms: number,
  signal: AbortSignal,
  act: (patience: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const patience = new AbortController();
  const follow = () => patience.abort(signal.reason);
  signal.addEventListener("abort", follow, { once: true });
  const timer = setTimeout(() => patience.abort(new DOMException("It took too long", "TimeoutError")), ms);
  try {
    return await act(patience.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", follow);
  }
}
