import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from './wait-until.ts';

/**
 * Waits until a server without a mail service has written an email with a six-digit code, and returns the newest code
 * sent to the address.
 */
export function waitForEmailedCode(dataDir: string, email: string): Promise<string> {
  const folder = join(dataDir, 'outbox');
  return waitUntil(`a mail to ${email}`, async () => {
    const names = (await readdir(folder).catch(() => [] as string[])).filter((name) =>
      name.endsWith('.eml'),
    );
    for (const name of names.sort().reverse()) {
      const mail = await readFile(join(folder, name), 'utf8');
      const code = /^(?:.*\D)?(\d{6})(?!\d)/m.exec(mail.slice(mail.indexOf('\r\n\r\n')))?.[1];
      if (mail.includes(email) && code) return code;
    }
    return null;
  });
}
