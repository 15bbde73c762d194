import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { ensurePrivateDir } from '../../data-dir.ts';
import type { DecodedMail } from './message.ts';
import { decodeMail, toMessage } from './message.ts';
import type { Mailer } from './port.ts';

/** Creates a mailer that stores mail in DATA_DIR/outbox as .eml files, for a server without SMTP. */
export function createOutboxMailer(dataDir: string, from: string): Mailer {
  const composer = createTransport(
    { streamTransport: true, buffer: true, newline: 'windows' },
    { from },
  );
  return {
    async send(mail) {
      const { message } = await composer.sendMail(toMessage(mail));
      const folder = await ensurePrivateDir(dataDir, 'outbox');
      const name = `${toNamePrefix(new Date())}-${randomUUID().slice(0, 8)}`;
      const partial = path.join(folder, `.${name}.partial`);
      await writeFile(partial, message as Buffer, { mode: 0o600 });
      await rename(partial, path.join(folder, `${name}.eml`));
    },
    async verify() {
      await ensurePrivateDir(dataDir, 'outbox');
    },
    close: () => undefined,
  };
}

/** Returns the most recent emails in the outbox, newest first. */
export async function readOutbox(dataDir: string, count: number): Promise<DecodedMail[]> {
  const folder = await ensurePrivateDir(dataDir, 'outbox');
  const names = (await readdir(folder)).filter((name) => /^[^.].*\.eml$/.test(name)).sort();
  const newest = names.reverse().slice(0, count);
  return Promise.all(
    newest.map(async (name) => decodeMail(await readFile(path.join(folder, name), 'utf8'))),
  );
}

/** Deletes the emails in the outbox that were sent before a time. Returns their number. */
export async function sweepOutbox(dataDir: string, before: Date): Promise<number> {
  const folder = await ensurePrivateDir(dataDir, 'outbox');
  const names = (await readdir(folder)).filter(
    (name) => /^[^.].*\.eml$/.test(name) && name < toNamePrefix(before),
  );
  for (const name of names) await rm(path.join(folder, name), { force: true });
  return names.length;
}

/** Returns the start of the name of an email's file, so that names sort chronologically. */
const toNamePrefix = (time: Date) => time.toISOString().replaceAll(':', '-');
