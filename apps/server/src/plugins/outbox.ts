import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/index.ts';
import { escapeHtml } from '../http/html.ts';
import type { DecodedMail } from '../providers/mail/message.ts';
import { readOutbox } from '../providers/mail/outbox.ts';
import { ensureSecretFile, isSameSecret, secretFiles } from '../secrets.ts';

const maxShown = 50;

/** Returns the outbox URL with its token, which is printed at startup, or null if mail is sent through SMTP. */
export async function outboxAddress(
  config: Pick<Config, 'SMTP_URL' | 'origin' | 'DATA_DIR'>,
): Promise<string | null> {
  if (config.SMTP_URL !== undefined) return null;
  const token = await ensureSecretFile(config.DATA_DIR, secretFiles.outbox);
  return `${config.origin}/outbox?token=${token}`;
}

/** Serves unsent emails to clients with the token. The client's IP address alone doesn't authorize it. */
export async function installOutbox(app: FastifyInstance, dataDir: string): Promise<void> {
  const token = await ensureSecretFile(dataDir, secretFiles.outbox);
  app.get<{ Querystring: { token?: string } }>('/outbox', async (request, reply) => {
    reply.header('cache-control', 'no-store').type('text/html; charset=utf-8');
    const requestToken = request.query.token;
    if (typeof requestToken !== 'string' || !isSameSecret(requestToken, token)) {
      return reply.code(403).send(html('<p>The outbox requires the token printed at startup.</p>'));
    }
    const mails = await readOutbox(dataDir, maxShown);
    const body = mails.map(mailHtml).join('\n<hr>\n');
    return html(body || '<p>No mail yet.</p>');
  });
}

function mailHtml({ to, subject, language, text }: DecodedMail): string {
  const lang = `lang="${escapeHtml(language)}" dir="auto"`;
  return `<p>${escapeHtml(to)}</p>\n<h2 ${lang}>${escapeHtml(subject)}</h2>\n<pre ${lang}>${escapeHtml(text)}</pre>`;
}

function html(body: string): string {
  return `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Outbox</title>\n<h1>Outbox</h1>\n${body}\n</html>\n`;
}
