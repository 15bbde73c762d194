import { demuxOgg } from '@linnet/audio/ogg';
import { recordingId } from '@linnet/sync';
import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
import type { EmptyRecorderStack } from './empty-recorder-stack.ts';
import { LinnetApp } from './linnet-app.ts';
import { openProfile } from './open-profile.ts';
import { PageErrors } from './page-errors.ts';
import type { RecorderStatus } from './recorder-control.ts';

type Session = RecorderStatus['sessions'][number];

/** A signed-in phone with a bound recorder that verifies, after tests, that no recording was lost. */
export class AuditedPhone {
  readonly pageErrors: PageErrors;
  readonly email: string;
  readonly #context: BrowserContext;
  readonly #environment: EmptyRecorderStack;
  /** The packets of every expected recording as read from the recorder, keyed by recording ID. */
  readonly #expectedPackets = new Map<string, Buffer>();
  #app: LinnetApp;

  private constructor(
    context: BrowserContext,
    page: Page,
    environment: EmptyRecorderStack,
    email: string,
  ) {
    this.#context = context;
    this.#environment = environment;
    this.email = email;
    this.pageErrors = new PageErrors();
    this.pageErrors.listenTo(context);
    this.#app = new LinnetApp(page, environment.stack);
  }

  /** Creates a phone, signs up a new account with `email`, and binds the recorder. */
  static async create(environment: EmptyRecorderStack, email: string): Promise<AuditedPhone> {
    const context = await openProfile();
    const page = context.pages()[0] ?? (await context.newPage());
    const phone = new AuditedPhone(context, page, environment, email);
    await phone.app.signUp(email);
    await phone.app.bind('websocket');
    return phone;
  }

  get app(): LinnetApp {
    return this.#app;
  }

  get page(): Page {
    return this.#app.page;
  }

  /**
   * Adds speech to the recorder and waits for its row in Files.
   * @returns the recording's ID
   */
  async addVisibleSpeech(seconds: number): Promise<string> {
    const id = await this.addSpeech(seconds);
    await expect(this.app.row(id)).toBeVisible();
    return id;
  }

  /**
   * Adds speech to the recorder and shows Files.
   * @returns the recording's ID
   */
  async addSpeech(seconds: number): Promise<string> {
    const { recorder } = this.#environment.stack;
    const session = await this.#environment.addSpeech(seconds);
    const { sn, sessions } = await recorder.getStatus();
    const { startTime } = sessions.find(({ sessionId }) => sessionId === session) as Session;
    const id = recordingId(sn, session, startTime);
    this.#expectedPackets.set(id, await recorder.readPackets(session));
    await this.app.show('/pages/files');
    return id;
  }

  /** Replaces the page with a blank one, which closes the link to the recorder. */
  async closePage(): Promise<void> {
    const blankPage = await this.#context.newPage();
    await this.page.close();
    this.#app = new LinnetApp(blankPage, this.#environment.stack);
  }

  /** Signs out, if necessary, and shows the sign-in form. */
  async signOut(): Promise<void> {
    await this.app.open();
    if (await this.#isSignedIn()) {
      await this.app.show('/pages/me');
      await this.page.getByTestId('sign-out').click();
      await this.page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
    }
    await expect(this.#emailField).toBeVisible();
  }

  get #emailField(): Locator {
    return this.page.getByTestId('email');
  }

  /** Waits for Files or the sign-in form. */
  async #isSignedIn(): Promise<boolean> {
    await expect(this.#emailField.or(this.app.rows().first())).toBeVisible();
    return !(await this.#emailField.isVisible());
  }

  /** Asserts that the pages reported no unexpected errors. */
  expectNoErrors(): void {
    expect(this.pageErrors.takeUnexpected()).toEqual([]);
  }

  /**
   * Asserts that every recording is listed with the same audio as on the recorder after the app has started again. Signs
   * in first if necessary.
   */
  async expectNothingLost(): Promise<void> {
    await this.app.open('/pages/files');
    if (!(await this.#isSignedIn())) await this.app.signIn(this.email);
    await expect(this.app.rows()).toHaveCount(this.#expectedPackets.size);
    for (const [id, packets] of this.#expectedPackets) {
      await expect(this.app.row(id)).toBeVisible();
      const audioFile = demuxOgg(await this.app.readStoredFile(id, 'ogg'));
      expect(Buffer.concat(audioFile.packets).equals(packets)).toBe(true);
    }
    this.expectNoErrors();
  }

  async getBalance(): Promise<{ left_minutes: number; reserved_minutes: number }> {
    return this.app.callApi('/user/leftMinute');
  }

  close(): Promise<void> {
    return this.#context.close();
  }
}
