/** Clauses about version 1 links. */
import { FIXED_TOKEN, KEY_LENGTH, VERSION_1 } from '../../codec/index.ts';
import { type Bench, ONLY_VERSION_1 } from '../bench.ts';
import type { Clause } from '../clause.ts';
import type { Probe } from '../probe.ts';
import { expectEqual, NotOffered, NotTested } from '../verdict.ts';
import { checkHttp, checkHttpSession } from './wifi.ts';

/** The user's time to confirm a bind, plus five seconds for the report, in milliseconds. */
export const CONFIRMATION_MS = 65_000;
const WRONG_TOKEN = 'NotTheRightToken';

/** Opens a version 1 link. @throws {NotOffered | NotTested} */
async function openVersion1(bench: Bench): Promise<Probe> {
  const { acceptsVersion1, info } = bench.getFacts();
  if (acceptsVersion1) return bench.openNegotiated(ONLY_VERSION_1);
  if (info.isBind) throw new NotTested('the recorder is bound under version 2');
  throw new NotOffered('the recorder supports only version 2');
}

export const version1Clauses: readonly Clause[] = [
  {
    id: 'version-1.token-first',
    section: '3-a-conversation',
    title: 'refuses commands between handshake and token (34)',
    requires: 'required',
    async check(bench) {
      const probe = await openVersion1(bench);
      await probe.expectRefusal('status', {}, ['out_of_order'], 'before the token');
    },
  },
  {
    id: 'version-1.token',
    section: 'token--0x02',
    title: 'refuses a wrong token (36), then accepts the right one',
    requires: 'required',
    async check(bench) {
      const probe = await openVersion1(bench);
      await probe.expectRefusal(
        'token',
        { token: WRONG_TOKEN },
        ['token_refused'],
        'with a wrong token',
      );
      await probe.succeed('token', { token: FIXED_TOKEN });
      await probe.succeed('status', {});
      bench.isTokenAccepted = true;
    },
  },
  {
    id: 'version-1.starts-over',
    section: '3-a-conversation',
    title: 'requires the token again after a second handshake',
    requires: 'required',
    async check(bench) {
      const probe = await openVersion1(bench);
      await probe.succeed('token', { token: FIXED_TOKEN });
      await probe.succeed('handshake', ONLY_VERSION_1);
      await probe.expectRefusal('status', {}, ['out_of_order'], 'after a second handshake');
    },
  },
  {
    id: 'version-1.no-keys',
    section: 'agreekey--0x08',
    title: 'refuses version 2 commands (34, or 32 if it does not know them)',
    requires: 'required',
    async check(bench) {
      const probe = await openVersion1(bench);
      await probe.succeed('token', { token: FIXED_TOKEN });
      const publicKey = new Uint8Array(KEY_LENGTH).fill(9);
      const results = ['out_of_order', 'command_unknown'] as const;
      for (const name of ['agreeKey', 'openChannel'] as const) {
        await probe.expectRefusal(name, { publicKey }, results, 'on a version 1 link');
      }
    },
  },
  {
    id: 'version-1.bind',
    section: 'bind--0x03',
    title: 'binds, after a confirmation on the recorder if it requires one',
    requires: 'required',
    async check(bench) {
      const probe = await openVersion1(bench);
      const { info } = bench.getFacts();
      if (info.isBind) throw new NotTested('the recorder is already bound');
      if (!(await bench.mayBind())) throw new NotTested('binding was not allowed');
      await probe.succeed('token', { token: FIXED_TOKEN });
      const receivedBefore = probe.received.length;
      const { state } = await probe.succeed('bind', {});
      if (state !== 'bound') {
        expectEqual('the state of a bind', state, 'waiting');
        bench.options.requestConfirmation(info);
        const { isBind } = await probe.waitForReport(
          'bindChanged',
          receivedBefore,
          undefined,
          CONFIRMATION_MS,
        );
        if (!isBind) throw new NotTested('the bind was not confirmed on the recorder');
      }
      expectEqual('isBind from status', (await probe.succeed('status', {})).isBind, true);
      bench.isBoundByCheck = true;
    },
  },
  {
    id: 'version-1.http',
    section: 'http-under-version-1',
    title: 'serves its session list over HTTP on a joined network, only to requests with the token',
    requires: 'optional',
    async check(bench) {
      const probe = await openVersion1(bench);
      if (!bench.isBoundByCheck)
        throw new NotTested('the check has not bound the recorder under version 1');
      await probe.succeed('token', { token: FIXED_TOKEN });
      await checkHttp(bench, probe);
    },
  },
  {
    id: 'version-1.http-session',
    section: 'http-under-version-1',
    title: "serves a complete session's bytes over HTTP, in ranges",
    requires: 'optional',
    async check(bench) {
      const probe = await openVersion1(bench);
      if (!bench.isBoundByCheck)
        throw new NotTested('the check has not bound the recorder under version 1');
      await probe.succeed('token', { token: FIXED_TOKEN });
      await checkHttpSession(bench, probe);
    },
  },
  {
    id: 'version-1.unbind',
    section: 'unbind--0x04',
    title: 'unbinds under version 1, and reports this (4097)',
    requires: 'required',
    async check(bench) {
      const probe = await openVersion1(bench);
      if (!bench.isBoundByCheck)
        throw new NotTested('the check has not bound the recorder under version 1');
      // A recorder that supports only version 1 stays bound for the rest of the check.
      if (bench.getFacts().info.version === VERSION_1)
        throw new NotTested('checked at the end, by unbind');
      await probe.succeed('token', { token: FIXED_TOKEN });
      await unbind(bench, probe);
    },
  },
];

export const unbindClauses: readonly Clause[] = [
  {
    id: 'unbind',
    section: 'unbind--0x04',
    title: 'unbinds at the end of the check, and reports this (4097)',
    requires: 'required',
    async check(bench) {
      const { info } = bench.getFacts();
      if (!bench.options.unbinds) throw new NotTested('skipped without --unbind');
      if (!bench.binding && !bench.isBoundByCheck) {
        throw new NotTested('the check has not bound the recorder');
      }
      const probe = await bench.getLink();
      await unbind(bench, probe);
      if (bench.binding) await bench.options.storeBinding(info.sn, null);
      bench.binding = undefined;
    },
  },
];

async function unbind(bench: Bench, probe: Probe): Promise<void> {
  const receivedBefore = probe.received.length;
  await probe.succeed('unbind', {});
  bench.isBoundByCheck = false;
  await probe.waitForReport('bindChanged', receivedBefore, ({ isBind }) => !isBind);
}
