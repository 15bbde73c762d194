import { expect, test } from '../support/faults.ts';

/**
 * The narrowest moment: the server did what it was asked and the page dies before it hears so. Whoever
 * asks again must not be given a second recording, nor pay a second time.
 */
for (const call of ['upload/ossFile', 'task/create'] as const) {
  test(`the page is killed while the answer to ${call} is on its way`, async ({ bench }) => {
    const { phone } = bench;
    const journey = await bench.newSession();
    const app = await phone.start();
    const done = new Promise<unknown>((resolve, reject) => {
      // The answer is taken from the server and never handed on.
      const swallow = app.page.route(`**/api/${call}`, (route) =>
        route.fetch().then((response) => response.json().then(resolve), reject),
      );
      swallow.catch(reject);
    });
    await app.open('/pages/files');
    expect(await done).toMatchObject({ code: 0 });
    await phone.kill();
    const [known] = await bench.owner.recordings(journey.id);
    expect(known?.client_flag).toBe(journey.id);
    expect(known?.task === null).toBe(call === 'upload/ossFile');

    await bench.openFiles();
    await bench.expectUndamaged(journey);
    const [after] = await bench.owner.recordings(journey.id);
    expect(after?.id).toBe(known?.id);
    if (known?.task) expect(after?.task?.id).toBe(known.task.id);
  });
}
