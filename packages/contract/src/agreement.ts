/** The texts that a user accepts by registering. The app loads this file at start: it imports nothing. */

/**
 * Version of the user agreement and privacy policy in the app (`agreements` of its locales). It changes with their
 * content. The app shows it below the texts, and the server stores it with the user who accepts them, whatever
 * version the server was built with.
 */
export const agreementVersion = '2026-11-23';
