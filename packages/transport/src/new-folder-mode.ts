const PRIVATE = 0o700;
const FOR_THE_GROUP = 0o2770;
const GROUP_SHARES = 0o2020;
const STICKY = 0o1000;
const ALL_WRITE = 0o0002;

/**
 * The mode of a folder that is made in another one: private, unless a group shares that one (set-group-ID, and writable
 * by the group). Undefined where everybody may do everything anyway, and the umask may decide. Law: `far_side.py` judges
 * the same.
 */
export function modeOfNewFolder(parentMode: number): number | undefined {
  if ((parentMode & GROUP_SHARES) === GROUP_SHARES) return FOR_THE_GROUP;
  return (parentMode & (STICKY | ALL_WRITE)) === ALL_WRITE ? undefined : PRIVATE;
}
