import { expect, it } from 'vitest';
import { Resources } from './resources.ts';

it('stops resources in reverse order, and one that is still starting once it has started', async () => {
  const resources = new Resources();
  const stopped: string[] = [];
  const stop = (name: string) => void stopped.push(name);
  const { promise, resolve } = Promise.withResolvers<string>();
  await resources.start(async () => 'first', stop);
  const starting = resources.start(() => promise, stop);
  const stopping = resources.stop();
  await expect(resources.start(async () => 'late', stop)).rejects.toThrow('already stopped');
  expect(stopped).toEqual([]);
  resolve('second');
  await Promise.all([starting, stopping, resources.stop()]);
  expect(stopped).toEqual(['second', 'first']);
});

it('stops the other resources if one fails to start or to stop', async () => {
  const resources = new Resources();
  const stopped: string[] = [];
  const fail = async (): Promise<never> => {
    throw new Error('failed');
  };
  await resources.start(
    async () => 'first',
    (name) => void stopped.push(name),
  );
  await resources.start(async () => 'second', fail);
  await expect(resources.start(fail, () => void stopped.push('third'))).rejects.toThrow('failed');
  await expect(resources.stop()).rejects.toThrow('some resources were not stopped');
  expect(stopped).toEqual(['first']);
});
