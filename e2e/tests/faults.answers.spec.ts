/**
 * Kills the page after the server has handled a call but before the page receives the response. The retry must neither
 * create a second recording nor charge the minutes twice.
 */
import { expect, test } from '../support/fault-bench.ts';

for (const call of ['upload/ossFile', 'task/create'] as const) {
  test(`a retry after the response to ${call} is lost has no side effects`, async ({ bench }) => {
    const { phone } = bench;
    const testSession = await bench.addSession();
    const app = await phone.start();
    const responseReceived = new Promise<unknown>((resolve, reject) => {
      // Let the server handle the call, but never forward its response to the page.
      const routing = app.page.route(`**/api/${call}`, (route) =>
        route.fetch().then((response) => response.json().then(resolve), reject),
      );
      routing.catch(reject);
    });
    await app.open('/pages/files');
    expect(await responseReceived).toMatchObject({ code: 0 });
    await phone.kill();
    const [before] = await bench.owner.findRecordings(testSession.id);
    expect(before?.client_flag).toBe(testSession.id);
    expect(before?.task === null).toBe(call === 'upload/ossFile');

    await bench.openFiles();
    await bench.expectIntact(testSession);
    const [after] = await bench.owner.findRecordings(testSession.id);
    expect(after?.id).toBe(before?.id);
    if (before?.task) expect(after?.task?.id).toBe(before.task.id);
  });
}
