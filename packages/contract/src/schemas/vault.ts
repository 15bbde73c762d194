import { z } from 'zod';
import { limits } from '../limits.ts';
import { vaultFailures, vaultKinds, vaultStops } from '../vaults.ts';
import { nothing, time } from './common.ts';

const kind = z
  .enum(vaultKinds)
  .describe(
    "`folder` is the account's folder on the server, `webdav` a folder on a WebDAV server.",
  );
const failure = z.enum(vaultFailures);

export const vault = z
  .object({
    kind,
    place: z.string().describe('The name of the folder, or the address of the WebDAV folder.'),
    username: z.string().describe("The user name on the WebDAV server; '' for a folder."),
    template: z.string().nullable().describe('The template of the files; null for the default.'),
    files: z.int().describe('The number of files.'),
    refused: z.int().describe('The number of files that the folder did not accept.'),
    is_current: z.boolean().describe('Whether the files have all changes of the account.'),
    written_at: time.nullable().describe('When the files were last up to date.'),
    failure: failure.nullable().describe('Why the latest attempt failed; null if it succeeded.'),
    failed_at: time.nullable(),
    next_at: time.nullable().describe('When the next attempt is due after a failure.'),
    stopped_at: time.nullable().describe('When the vault was stopped; null if it is active.'),
    stopped_reason: z
      .enum(vaultStops)
      .nullable()
      .describe('Whether the owner stopped it, or the password of the account was changed.'),
  })
  .meta({ id: 'Vault', description: 'A folder with a Markdown file for each recording.' });

const tested = failure.nullable().describe('Why the folder cannot be used; null if it can.');

/** Lists the vaults: at most one of each kind. */
export const index = { body: nothing, data: z.object({ list: z.array(vault) }) };
/** Tests a WebDAV folder, and connects it if it can be used. It replaces the one before, whose files remain. */
export const connect = {
  body: z.object({
    url: z
      .string()
      .trim()
      .min(1)
      .max(limits.webhooks.urlMaxLength)
      .describe('An https address without credentials, outside of private networks.'),
    username: z.string().trim().min(1).max(limits.vaults.usernameMaxLength),
    password: z.string().min(1).max(limits.vaults.passwordMaxLength),
  }),
  data: z.object({
    failure: tested,
    vault: vault.nullable().describe('The vault; null after a failure.'),
  }),
};
/** Tests whether a file can be written to a WebDAV folder, or has a worker try it again in a folder of the server. */
export const test = { body: z.object({ kind }), data: z.object({ failure: tested }) };
/** Replaces the template, and writes all files again. */
export const template = {
  body: z.object({
    kind,
    template: z
      .string()
      .max(limits.vaults.templateMaxLength)
      .nullable()
      .describe('The new template; null for the default.'),
  }),
  data: vault,
};
export const stop = { body: z.object({ kind }), data: vault };
/** Continues a stopped vault, or tries again at once after a failure. */
export const resume = { body: z.object({ kind }), data: vault };
/** Forgets the WebDAV folder and its password. The files remain. */
export const disconnect = { body: nothing, data: z.object({}) };
