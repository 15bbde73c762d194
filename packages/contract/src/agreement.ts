/**
 * The version of the texts that users accept when they register. Imports nothing, because the app loads it at startup.
 */

/**
 * The version of the user agreement and privacy policy (`agreements` in the app's locales). Change it whenever the
 * texts change. The app shows it below them. The server stores the version that each user accepted, which may differ
 * from the version the server was built with.
 */
export const agreementVersion = '2026-11-28';
