import { test } from 'vitest';
import { openEmulatedLink } from './emulated-gatt.ts';
import { type GattContractLink, GattContractRecorder, gattContract } from './gatt-contract.ts';

async function open(): Promise<GattContractLink> {
  const recorder = new GattContractRecorder();
  return {
    link: openEmulatedLink(recorder),
    received: async () => recorder.received,
    notify: async (source, ...values) => recorder.notify(source, ...values),
    breakLink: async () => recorder.cut(),
  };
}

test.each(gattContract)('in memory: $name', ({ run }) => run(open));
