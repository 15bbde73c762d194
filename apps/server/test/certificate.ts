import { generateKeyPairSync, sign } from 'node:crypto';

/** Encodes a DER element: tag, length, value. */
function der(type: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const size = body.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([type, ...length]), body]);
}
const sequence = (...content: Uint8Array[]) => der(0x30, ...content);
const utcTime = (time: Date) =>
  der(0x17, Buffer.from(`${time.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));

const commonName = Buffer.from('0603550403', 'hex');
const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));

/** Creates a self-signed certificate for a host (X.509 version 1, RFC 5280, 4.1) and its key, both in PEM format. */
export function selfSigned(host: string): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(host)))));
  const [from, notAfter] = [new Date(Date.now() - 60_000), new Date(Date.now() + 3_600_000)];
  const content = sequence(
    der(0x02, Buffer.from([1 + Math.floor(Math.random() * 126)])),
    ecdsaWithSha256,
    name,
    sequence(utcTime(from), utcTime(notAfter)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const bytes = sequence(content, ecdsaWithSha256, signature).toString('base64');
  const lines = bytes.match(/.{1,64}/g)?.join('\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
