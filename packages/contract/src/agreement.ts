/** The texts that registering accepts. The app loads this file at start: it imports nothing. */

/**
 * The version of the user agreement and of the privacy policy as the app has them (`agreements` of its locales); another
 * one whenever what they say changes. The app shows it under its texts and has it kept with who accepts them,
 * whatever the server it talks to was built with.
 */
export const agreementVersion = '2026-11-23';
