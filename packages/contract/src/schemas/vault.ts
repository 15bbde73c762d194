import { z } from 'zod';
import { limits } from '../limits.ts';
import { vaultFailures, vaultKinds, vaultStops } from '../vaults.ts';
import { nothing, time } from './common.ts';

const kind = z
  .enum(vaultKinds)
  .describe("`folder`: the account's folder on the server. `webdav`: a folder on a WebDAV server.");
const failure = z.enum(vaultFailures);

export const vault = z
  .object({
    kind,
    place: z.string().describe('The name of the folder, or the URL of the WebDAV folder.'),
    username: z
      .string()
      .describe("The user name on the WebDAV server, or '' for a `folder` vault."),
    template: z
      .string()
      .nullable()
      .describe('The template for the files, or null for the default template.'),
    files: z.int().describe('The number of files.'),
    refused: z.int().describe('The number of files that the WebDAV server rejected.'),
    is_current: z.boolean().describe("Whether the files reflect all of the account's changes."),
    written_at: time.nullable().describe('When the files were last up to date.'),
    failure: failure.nullable().describe('Why the latest attempt failed, or null if it succeeded.'),
    failed_at: time.nullable(),
    next_at: time.nullable().describe('When the next attempt is due after a failure.'),
    stopped_at: time.nullable().describe('When the vault was stopped, or null if it is active.'),
    stopped_reason: z
      .enum(vaultStops)
      .nullable()
      .describe(
        "`owner`: the user stopped the vault. `password`: the account's password was changed. Null if the vault is active.",
      ),
  })
  .meta({
    id: 'Vault',
    description: 'A folder that the server keeps in sync, with one Markdown file per recording.',
  });

const tested = failure
  .nullable()
  .describe('Why the folder cannot be used, or null if the test succeeded.');

/** Lists the vaults: at most one of each kind. */
export const index = { body: nothing, data: z.object({ list: z.array(vault) }) };
/**
 * Tests a WebDAV folder and, if the test succeeds, connects it. The previous folder is disconnected and keeps its
 * files.
 */
export const connect = {
  body: z.object({
    url: z
      .string()
      .trim()
      .min(1)
      .max(limits.webhooks.urlMaxLength)
      .describe('An HTTPS URL without credentials. Its host must not be on a private network.'),
    username: z.string().trim().min(1).max(limits.vaults.usernameMaxLength),
    password: z.string().min(1).max(limits.vaults.passwordMaxLength),
  }),
  data: z.object({
    failure: tested,
    vault: vault.nullable().describe('The connected vault, or null if the test failed.'),
  }),
};
/** Tests whether a file can be written to the WebDAV folder. For a `folder` vault, makes a worker retry immediately. */
export const test = { body: z.object({ kind }), data: z.object({ failure: tested }) };
/** Replaces the template and rewrites all files. */
export const template = {
  body: z.object({
    kind,
    template: z
      .string()
      .max(limits.vaults.templateMaxLength)
      .nullable()
      .describe('The new template, or null for the default template.'),
  }),
  data: vault,
};
export const stop = { body: z.object({ kind }), data: vault };
/** Resumes a stopped vault, or retries immediately after a failure. */
export const resume = { body: z.object({ kind }), data: vault };
/** Disconnects the WebDAV folder and deletes its stored password. The files remain. */
export const disconnect = { body: nothing, data: z.object({}) };
