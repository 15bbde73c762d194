import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server that records the emails it accepts. */
export interface MailServer {
  /** The value of SMTP_URL. */
  readonly url: string;
  /** The raw emails, oldest first. */
  readonly received: { readonly to: readonly string[]; readonly text: string }[];
  /** The SMTP reply code for rejected recipients, or null to accept all recipients. */
  rejectionCode: number | null;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      if (server.rejectionCode === null) return done();
      done(Object.assign(new Error('not now'), { responseCode: server.rejectionCode }));
    },
    onData(stream, session, done) {
      let text = '';
      stream.on('data', (chunk) => {
        text += chunk;
      });
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        server.received.push({ to, text });
        done();
      });
    },
  });
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const server: MailServer = {
    url: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    received: [],
    rejectionCode: null,
    close: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  };
  return server;
}
