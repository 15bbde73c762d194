/** The version of the texts that a user accepts by registering. Imports nothing, because the app loads it at startup. */

/**
 * The version of the user agreement and privacy policy (`agreements` in the app's locales). It must change with their
 * content. The app shows it below the texts. The server stores the version that a user accepted, which may differ from the
 * version with which the server was built.
 */
export const agreementVersion = '2026-11-23';
