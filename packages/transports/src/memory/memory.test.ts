import { type ContractLink, transportContract } from '@linnet/device/testing';
import { test } from 'vitest';
import { Inbox } from '../testing/inbox.ts';
import { createMemoryLink } from './index.ts';

async function open(): Promise<ContractLink> {
  const { transport, peripheral } = createMemoryLink();
  const inbox = new Inbox();
  peripheral.onWrite((bytes) => inbox.put(bytes));
  return {
    transport,
    recorderReceives: (count) => inbox.take(count),
    recorderSends: async (...notifications) => {
      for (const bytes of notifications) peripheral.notify(bytes);
    },
    breakLink: async () => peripheral.drop(),
  };
}

test.each(transportContract)('memory: $name', (contractCase) => contractCase.run({ open }));
