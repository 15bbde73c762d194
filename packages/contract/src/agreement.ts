/** The texts that a user accepts by registering. Imports nothing, because the app loads it at startup. */

/**
 * Version of the user agreement and privacy policy in the app (`agreements` in its locales), which changes with their
 * content. The app shows it below the texts. The server stores the version that a user accepted, which may differ from
 * the one it was built with.
 */
export const agreementVersion = '2026-11-23';
