/** What is exported. Control characters between the variables: values may have several lines. Secrets are left out. */
const EXPORTED = "$(env -u WF_SECRETS -u WF_SECRETS_PAD cat /proc/self/environ | tr '\\000' '\\001')";
const BEFORE = `WF_SETUP_BEFORE="${EXPORTED}"`;
const AFTER = [`WF_SETUP_AFTER="${EXPORTED}"`, "export WF_SETUP_BEFORE WF_SETUP_AFTER"];

/** A site's lines of setup for a script, between others that let the launcher tell what they changed: setup_changes.py. */
export function setupLines(setup: readonly string[]): readonly string[] {
  return setup.length === 0 ? [] : [BEFORE, ...setup, ...AFTER];
}
