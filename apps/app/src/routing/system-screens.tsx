/** Screens that need translations but no services. */
import { Component, type ReactNode } from 'react';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { listed } from '../i18n/joined.ts';
import { ChunkError, forgetFailedChunks } from '../runtime/chunks.ts';
import { BirdDrawing } from '../ui/bird.tsx';
import { Button } from '../ui/button.tsx';
import './system-screens.css';

function SystemScreen({
  title,
  text,
  small,
  action,
}: {
  title: string;
  text: string;
  small?: string | null;
  action?: ReactNode;
}) {
  return (
    <main className="system-screen">
      <BirdDrawing />
      <h1 className="display">{title}</h1>
      <p>{text}</p>
      {action}
      {small && <p className="small-print">{small}</p>}
    </main>
  );
}

/** Another tab has the recordings open. */
export function TakeOverScreen({ onTakeOver }: { onTakeOver(): void }) {
  const { t } = useTranslation();
  return (
    <SystemScreen
      title={t('system.takeOverTitle')}
      text={t('system.takeOverText')}
      action={
        <Button look="primary" onClick={onTakeOver} data-testid="take-over">
          {t('system.takeOver')}
        </Button>
      }
    />
  );
}

/** The on-device database failed to open. `code` goes to the small print. */
export function DatabaseFailedScreen({ code, onReload }: { code: string; onReload(): void }) {
  const { t } = useTranslation();
  return (
    <SystemScreen
      title={t('system.databaseTitle')}
      text={t('system.databaseText')}
      small={t('common.code', { code })}
      action={
        <Button look="primary" onClick={onReload}>
          {t('system.reload')}
        </Button>
      }
    />
  );
}

/** The browser lacks required features; `features` by their technical names. */
export function UnsupportedScreen({ features }: { features: readonly string[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <SystemScreen
      title={t('system.unsupportedTitle')}
      text={t('system.unsupportedText')}
      small={t('system.unsupportedNeeds', { features: listed(features, language) })}
    />
  );
}

/** No page has this address. */
export function NotFoundScreen({ onHome }: { onHome(): void }) {
  const { t } = useTranslation();
  return (
    <SystemScreen
      title={t('system.notFoundTitle')}
      text={t('system.notFoundText')}
      action={
        <Button look="primary" onClick={onHome}>
          {t('system.home')}
        </Button>
      }
    />
  );
}

function FailedScreen({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const { t } = useTranslation();
  if (error instanceof ChunkError) {
    return (
      <SystemScreen
        title={t(error.code === 'timeout' ? 'system.chunkTimeout' : 'system.chunkMissing')}
        text={t('system.chunkText')}
        small={t('common.code', { code: `chunk ${error.code}` })}
        action={
          <Button look="primary" onClick={onRetry}>
            {t('common.retry')}
          </Button>
        }
      />
    );
  }
  return (
    <SystemScreen
      title={t('system.crashTitle')}
      text={t('system.crashText')}
      small={error instanceof Error ? t('common.code', { code: error.name }) : null}
      action={
        <Button look="primary" onClick={() => window.location.reload()}>
          {t('system.reload')}
        </Button>
      }
    />
  );
}

/**
 * Reloads the app, if the server is reachable. Chromium requests a failed module only once in the lifetime of
 * a document; every further `import()` fails at once (HTML issue 6768). Without a server, reloading would
 * leave no app to retry with.
 */
async function reloadIfThere(): Promise<void> {
  try {
    const { ok } = await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' });
    if (ok) window.location.reload();
  } catch {
    // Unreachable: the screen with the instructions stays.
  }
}

type BoundaryState = { failed: false } | { failed: true; error: unknown };

/**
 * Catches errors thrown by a screen. A screen whose code failed to load says why and offers a retry. A change
 * of `at`, the current location, resets the error.
 */
export class ScreenBoundary extends Component<{ at: string; children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { failed: false };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failed: true, error };
  }

  /** Whether the failing load is already a retry. */
  private tried = false;

  override componentDidUpdate(before: { at: string }) {
    if (this.state.failed && before.at !== this.props.at) this.afresh();
  }

  override componentDidCatch(error: unknown) {
    const { tried } = this;
    this.tried = false;
    if (tried && error instanceof ChunkError) void reloadIfThere();
  }

  private afresh() {
    forgetFailedChunks();
    this.setState({ failed: false });
  }

  private again = () => {
    this.tried = true;
    this.afresh();
  };

  override render() {
    return this.state.failed ? (
      <FailedScreen error={this.state.error} onRetry={this.again} />
    ) : (
      this.props.children
    );
  }
}
