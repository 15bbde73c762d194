/**
 * The version of the legal documents that users accept when they register. This module imports nothing, because the app
 * loads it at startup.
 */

/**
 * The version of the user agreement and privacy policy (`agreements` in the app's locales). Change it whenever they
 * change. The app shows it below each document. The server stores the version each user accepted, which may differ from
 * the version the server was built with.
 */
export const agreementVersion = '2026-11-29';
