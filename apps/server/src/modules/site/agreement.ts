/** The version of the user agreement and privacy policy that registering accepts. */
export const agreementVersion = '2026-11';
