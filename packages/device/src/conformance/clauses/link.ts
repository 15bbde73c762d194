/** Clauses about the link and the advertisement. Clauses about every link come last. */
import { MIN_PAYLOAD_SIZE } from '../../codec/index.ts';
import { TransportError } from '../../errors.ts';
import type { Bench } from '../bench.ts';
import type { Clause } from '../clause.ts';
import { property } from '../json.ts';
import { findUndefined } from '../undefined-values.ts';
import { Broken, expectEqual, expectThat, NotOffered, NotTested } from '../verdict.ts';

/** The authentication timeout plus two seconds of tolerance, in milliseconds. */
const AUTHENTICATION_MS = 12_000;
/** The interval between requests on a link that the recorder must close regardless, in milliseconds. */
const REPEAT_MS = 3000;
/** The maximum payload size in a handshake, in bytes. */
const MAX_NOTIFICATION = 0xffff;
/** Byte 2 of a frame: the version and the flags. */
const UNSEALED_BYTE = 0x10;
const SEALED_BYTE = 0x21;

/** Reads the advertisement, without a link. @throws {Broken} */
async function readAdvertisement(bench: Bench): Promise<unknown> {
  await bench.close();
  try {
    return await bench.options.readAdvertisement();
  } catch (error) {
    const isAbsent = error instanceof TransportError && error.code === 'not_found';
    if (error instanceof TransportError && !isAbsent) throw error;
    throw new Broken('an advertisement', error instanceof Error ? error.message : 'none');
  }
}

export const advertisementClauses: readonly Clause[] = [
  {
    id: 'advertisement',
    section: 'the-advertisement',
    title: 'advertises its name and serial number (as JSON at /advertisement if it has no radio)',
    requires: 'required',
    async check(bench) {
      const { info } = bench.getFacts();
      const json = await readAdvertisement(bench);
      const [name, sn] = [property(json, 'name'), property(json, 'sn')];
      const isNamed = typeof name === 'string' && name !== '';
      expectThat(isNamed, 'a string in "name"', JSON.stringify(name) ?? 'nothing');
      expectEqual('"sn"', typeof sn === 'string' ? sn : (JSON.stringify(sn) ?? 'nothing'), info.sn);
    },
  },
  {
    id: 'advertisement.fields',
    section: 'the-advertisement',
    title:
      'advertises the same values as the handshake in the other fields (extendInfo in the JSON)',
    requires: 'optional',
    async check(bench) {
      const { info } = bench.getFacts();
      const advertised = property(await readAdvertisement(bench), 'extendInfo');
      if (advertised === undefined) throw new NotOffered('no "extendInfo" in the advertisement');
      const fields = {
        projectCode: info.projectCode,
        version: info.firmwareVersion,
        sn: info.sn,
        isBind: info.isBind,
        tranVersion: info.tranVersion,
      };
      for (const [name, expected] of Object.entries(fields)) {
        const received = property(advertised, name);
        expectEqual(
          `"${name}" in extendInfo`,
          JSON.stringify(received) ?? 'nothing',
          JSON.stringify(expected),
        );
      }
    },
  },
  {
    id: 'link.second-phone',
    section: '2-the-link',
    title: 'refuses a second phone while serving one (close code 4001 if it has no radio)',
    requires: 'required',
    async check(bench) {
      bench.getFacts();
      if (!bench.options.supportsSecondConnection) throw new NotTested('requires a second radio');
      const probe = await bench.open();
      const refusal = await bench.options.connect().then(
        async (second) => {
          await second.close();
          return 'a second link';
        },
        (error: unknown) => {
          if (error instanceof TransportError) return error.code;
          throw error;
        },
      );
      expectThat(
        refusal === 'recorder_busy',
        'close code 4001 for the second phone',
        refusal === 'a second link' ? refusal : 'a different refusal',
      );
      expectThat(!probe.isClosed, "the first phone's link to stay open", 'the link was closed');
    },
  },
];

export const boundAdvertisementClauses: readonly Clause[] = [
  {
    id: 'advertisement.bound',
    section: 'the-advertisement',
    title: 'advertises that it is bound once it is bound',
    requires: 'optional',
    async check(bench) {
      if (!bench.binding && !bench.isBoundByCheck) {
        throw new NotTested('the recorder is not bound to this check');
      }
      const advertised = property(await readAdvertisement(bench), 'extendInfo');
      if (advertised === undefined) throw new NotOffered('no "extendInfo" in the advertisement');
      const isBind = property(advertised, 'isBind');
      expectEqual('"isBind" in extendInfo', JSON.stringify(isBind) ?? 'nothing', 'true');
    },
  },
];

export const linkClauses: readonly Clause[] = [
  {
    id: 'link.authentication-timeout',
    section: '2-the-link',
    title: 'closes a link that is not authenticated within 10 s, regardless of other requests',
    requires: 'required',
    async check(bench) {
      if (bench.options.isQuick) throw new NotTested('takes 10 s; skipped in a quick check');
      const probe = await bench.openUnauthenticated();
      const { clock } = bench.options.timing;
      const end = clock.elapsed() + AUTHENTICATION_MS;
      const expected = 'an unauthenticated link to be closed after 10 s';
      while (clock.elapsed() < end - REPEAT_MS && !probe.isClosed) {
        await probe.pause(REPEAT_MS);
        if (!probe.isClosed)
          await probe.sendRaw({ command: 0xff }, 'command 0xff').catch(() => undefined);
      }
      await probe.waitForClose(expected, Math.max(0, end - clock.elapsed()));
    },
  },
  {
    id: 'link.payload',
    section: '2-the-link',
    title: 'sends no notification larger than the payload size from the handshake',
    requires: 'required',
    async check(bench) {
      bench.getFacts();
      for (const { payloadSize, largestNotification } of bench.probes) {
        const limit = Math.max(payloadSize ?? MAX_NOTIFICATION, MIN_PAYLOAD_SIZE);
        expectThat(
          largestNotification <= limit,
          `notifications of at most ${limit} bytes`,
          `${largestNotification} bytes`,
        );
      }
    },
  },
  {
    id: 'frame.valid',
    section: '1-the-frame',
    title: 'sends only complete, valid frames on every link of this check',
    requires: 'required',
    async check(bench) {
      bench.getFacts();
      await bench.close();
      const skippedBytes = bench.probes.reduce((sum, probe) => sum + probe.skippedBytes, 0);
      expectThat(
        skippedBytes === 0,
        'only valid frames',
        `${skippedBytes} bytes outside of valid frames`,
      );
      const received = new Set(bench.probes.flatMap((probe) => [...probe.receivedVersionBytes]));
      const others = [...received].filter((byte) => byte !== UNSEALED_BYTE && byte !== SEALED_BYTE);
      const otherBytes = others.map((byte) => byte.toString(16).padStart(2, '0')).join(', ');
      expectThat(others.length === 0, '10 or 21 in byte 2 of every frame', otherBytes);
    },
  },
  {
    id: 'fields.defined',
    section: '9-reserved-numbers',
    title: 'sends only defined enum values and bits',
    requires: 'required',
    async check(bench) {
      bench.getFacts();
      const [found] = bench.probes.flatMap(({ received }) => received.flatMap(findUndefined));
      if (found) throw new Broken('only defined numbers', found);
    },
  },
  {
    id: 'link.records',
    section: 'a-sealed-frame',
    title: 'sends only valid records in a channel',
    requires: 'required',
    async check(bench) {
      if (!bench.probes.some((probe) => probe.channel)) throw new NotTested('no channel was open');
      const isInvalid = bench.probes.some((probe) => probe.hasInvalidRecord);
      expectThat(!isInvalid, 'only valid records in an open channel', 'an invalid record');
    },
  },
];
