import { describe, expect, it } from 'vitest';
import type { StoredObject, UploadTerms } from './port.ts';

type Fields = Record<string, string>;

/** A store whose forms are tested. */
export interface FormTarget {
  /** Returns the fields of a signed form that complies with the terms. */
  sign(terms: UploadTerms): Promise<Fields>;
  /** Posts a form whose last field is a file. Returns the HTTP status. */
  post(fields: Fields, file: Blob): Promise<number>;
  stat(key: string): Promise<StoredObject | null>;
  /** Name of the form field that contains the signature. */
  readonly signature: string;
}

const type = 'audio/ogg';
const limit = 1000;
const seconds = () => Math.floor(Date.now() / 1000);
const newKey = () => `voice/${crypto.randomUUID()}/${crypto.randomUUID()}.ogg`;
const newTerms = (change: Partial<UploadTerms> = {}): UploadTerms => ({
  key: newKey(),
  maxSize: limit,
  types: [type],
  start: seconds() - 60,
  end: seconds() + 600,
  ...change,
});
const makeFile = (size: number) => new Blob([new Uint8Array(size).fill(7)], { type });

/** Returns the policy field, whose name some stores capitalize. */
const getPolicyField = (fields: Fields): string => ('policy' in fields ? 'policy' : 'Policy');

/** Registers tests of the limits that a store must enforce itself, because clients can change the form at will. */
export function uploadPolicyContract(name: string, open: () => Promise<FormTarget>): void {
  describe(`upload policies of ${name}`, () => {
    it.each([0, 1, limit])('accept a file of %i bytes', async (size) => {
      const target = await open();
      const terms = newTerms();
      expect(await target.post(await target.sign(terms), makeFile(size))).toBe(204);
      expect(await target.stat(terms.key)).toMatchObject({ size });
    });

    const forgedKey = newKey();
    /** Changes of one field that make a valid form invalid. */
    const changes: [string, (fields: Fields, target: FormTarget) => void, Partial<UploadTerms>?][] =
      [
        ['a different key', (fields) => Object.assign(fields, { key: forgedKey })],
        ['a different type', (fields) => Object.assign(fields, { 'Content-Type': 'text/html' })],
        ['an expired form', () => undefined, { start: seconds() - 7200, end: seconds() - 3600 }],
        ['no key', (fields) => delete fields.key],
        ['no policy', (fields) => delete fields[getPolicyField(fields)]],
        ['no signature', (fields, { signature }) => delete fields[signature]],
        [
          'a changed signature',
          (fields, { signature }) => {
            const sealed = fields[signature] ?? '';
            fields[signature] = (sealed[0] === '0' ? '1' : '0') + sealed.slice(1);
          },
        ],
        [
          'a policy changed to allow a larger file',
          (fields) => {
            const name = getPolicyField(fields);
            const policy = Buffer.from(fields[name] ?? '', 'base64').toString();
            const generous = policy.replace(/"content-length-range",0,\d+/, (range) => `${range}0`);
            expect(generous).not.toBe(policy);
            fields[name] = Buffer.from(generous).toString('base64');
          },
        ],
        [
          'an unreadable policy',
          (fields) => Object.assign(fields, { [getPolicyField(fields)]: btoa('{') }),
        ],
      ];
    it.each(changes)('reject %s', async (_what, change, terms) => {
      const target = await open();
      const { key, ...rest } = newTerms(terms);
      const fields = await target.sign({ key, ...rest });
      change(fields, target);
      const status = await target.post(fields, makeFile(10));
      expect([400, 403]).toContain(status);
      expect(await target.stat(key)).toBeNull();
      expect(await target.stat(forgedKey)).toBeNull();
    });

    it.each([limit + 1, 3_000_000])('reject a file of %i bytes', async (size) => {
      const target = await open();
      const terms = newTerms();
      expect(await target.post(await target.sign(terms), makeFile(size))).toBe(400);
      expect(await target.stat(terms.key)).toBeNull();
    });

    it('reject the signature of a different form', async () => {
      const target = await open();
      const [ownTerms, otherTerms] = [newTerms(), newTerms()];
      const [fields, otherFields] = [await target.sign(ownTerms), await target.sign(otherTerms)];
      const { signature } = target;
      const mixed = { ...fields, [signature]: otherFields[signature] ?? '' };
      expect(await target.post(mixed, makeFile(10))).toBe(403);
      expect(await target.stat(ownTerms.key)).toBeNull();
      expect(await target.stat(otherTerms.key)).toBeNull();
    });
  });
}
