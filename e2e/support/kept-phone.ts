import { demuxOgg } from '@linnet/audio/ogg';
import { recordingId } from '@linnet/sync';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { Complaints } from './complaints.ts';
import { LinnetApp } from './linnet-app.ts';
import { openProfile } from './profile.ts';
import type { QuietStack } from './quiet-stack.ts';
import type { RecorderStatus } from './recorder.ts';

type Session = RecorderStatus['sessions'][number];

/** A signed-in phone with a bound recorder, for checking that no recording is ever lost. */
export class KeptPhone {
  readonly complaints: Complaints;
  readonly email: string;
  readonly #context: BrowserContext;
  readonly #quiet: QuietStack;
  /** Packets of every recording transferred so far, as the recorder had them. */
  readonly #kept = new Map<string, Buffer>();
  /** Recordings that are only in the cloud. */
  readonly #rows = new Set<string>();
  #app: LinnetApp;

  private constructor(context: BrowserContext, page: Page, quiet: QuietStack, email: string) {
    this.#context = context;
    this.#quiet = quiet;
    this.email = email;
    this.complaints = new Complaints();
    this.complaints.listenTo(context);
    this.#app = new LinnetApp(page, quiet.stack);
  }

  /** Creates an account and a phone. @param email of the new account */
  static async make(quiet: QuietStack, email: string): Promise<KeptPhone> {
    const context = await openProfile();
    const page = context.pages()[0] ?? (await context.newPage());
    const phone = new KeptPhone(context, page, quiet, email);
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

  /** Adds speech to the recorder and opens Files, where its row appears. @returns the recording */
  async record(seconds: number): Promise<string> {
    const id = await this.addSpeech(seconds);
    await expect(this.app.row(id)).toBeVisible();
    return id;
  }

  /** Adds speech to the recorder and opens Files. @returns the recording */
  async addSpeech(seconds: number): Promise<string> {
    const { recorder } = this.#quiet.stack;
    const session = await this.#quiet.addSpeech(seconds);
    const { sn, sessions } = await recorder.status();
    const { startTime } = sessions.find(({ sessionId }) => sessionId === session) as Session;
    const id = recordingId(sn, session, startTime);
    this.#kept.set(id, await recorder.packets(session));
    await this.app.open('/pages/files');
    return id;
  }

  /** Also expects this recording to be listed, without audio on the phone. */
  expectRow(id: string): void {
    this.#rows.add(id);
  }

  /** Closes its only page, and with it the link to the recorder. */
  async putAway(): Promise<void> {
    const blank = await this.#context.newPage();
    await this.page.close();
    this.#app = new LinnetApp(blank, this.#quiet.stack);
  }

  async signOut(): Promise<void> {
    await this.app.open('/pages/me');
    await this.page.getByTestId('sign-out').click();
    await this.page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
    await expect(this.page.getByTestId('email')).toBeVisible();
  }

  /** Signs in if necessary, and finds every recording with the recorder's audio. */
  async expectNothingLost(): Promise<void> {
    await this.app.open('/pages/files');
    const entry = this.page.getByTestId('email');
    await expect(entry.or(this.app.rows().first())).toBeVisible();
    if (await entry.isVisible()) await this.app.signIn(this.email);
    await expect(this.app.rows()).toHaveCount(this.#kept.size + this.#rows.size);
    for (const id of this.#rows) await expect(this.app.row(id)).toBeVisible();
    for (const [id, packets] of this.#kept) {
      await expect(this.app.row(id)).toBeVisible();
      const master = demuxOgg(await this.app.storedFile(id, 'ogg'));
      expect(Buffer.concat(master.packets).equals(packets)).toBe(true);
    }
    expect(this.complaints.unexpected()).toEqual([]);
  }

  async minutes(): Promise<{ left_minutes: number; reserved_minutes: number }> {
    return this.app.call('/user/leftMinute');
  }

  close(): Promise<void> {
    return this.#context.close();
  }
}
