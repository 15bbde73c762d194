import { expect, test } from '../support/fault-bench.ts';

/**
 * The narrowest moment: the server has done the work and the page dies before the response arrives. A retry
 * must not create a second recording, nor charge a second time.
 */
for (const call of ['upload/ossFile', 'task/create'] as const) {
  test(`a retry after the response to ${call} is lost has no side effects`, async ({ bench }) => {
    const { phone } = bench;
    const journey = await bench.addSession();
    const app = await phone.start();
    const done = new Promise<unknown>((resolve, reject) => {
      // The server has answered; the response is never passed on.
      const swallow = app.page.route(`**/api/${call}`, (route) =>
        route.fetch().then((response) => response.json().then(resolve), reject),
      );
      swallow.catch(reject);
    });
    await app.open('/pages/files');
    expect(await done).toMatchObject({ code: 0 });
    await phone.kill();
    const [known] = await bench.owner.findRecordings(journey.id);
    expect(known?.client_flag).toBe(journey.id);
    expect(known?.task === null).toBe(call === 'upload/ossFile');

    await bench.openFiles();
    await bench.expectIntact(journey);
    const [after] = await bench.owner.findRecordings(journey.id);
    expect(after?.id).toBe(known?.id);
    if (known?.task) expect(after?.task?.id).toBe(known.task.id);
  });
}
