/** Full-screen pages for fatal states. They work without any services. */
import { Component, type ReactNode } from 'react';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { joinList } from '../i18n/joined.ts';
import { ChunkError, resetFailedChunks } from '../runtime/chunks.ts';
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

/** Shown while another tab is using the database. */
export function TakeOverScreen({ onTakeOver }: { onTakeOver(): void }) {
  const { t } = useTranslation();
  return (
    <SystemScreen
      title={t('system.takeOverTitle')}
      text={t('system.takeOverText')}
      action={
        <Button variant="primary" onClick={onTakeOver} data-testid="take-over">
          {t('system.takeOver')}
        </Button>
      }
    />
  );
}

/** Shown when the on-device database fails to open. */
export function DatabaseFailedScreen({ code, onReload }: { code: string; onReload(): void }) {
  const { t } = useTranslation();
  return (
    <SystemScreen
      title={t('system.databaseTitle')}
      text={t('system.databaseText')}
      small={t('common.code', { code })}
      action={
        <Button variant="primary" onClick={onReload}>
          {t('system.reload')}
        </Button>
      }
    />
  );
}

/**
 * Shown in a browser that lacks required features.
 * @param features technical names of the missing features
 */
export function UnsupportedScreen({ features }: { features: readonly string[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <SystemScreen
      title={t('system.unsupportedTitle')}
      text={t('system.unsupportedText')}
      small={t('system.unsupportedNeeds', { features: joinList(features, language) })}
    />
  );
}

/** Shown at an unknown path. */
export function NotFoundScreen({ onHome }: { onHome(): void }) {
  const { t } = useTranslation();
  return (
    <SystemScreen
      title={t('system.notFoundTitle')}
      text={t('system.notFoundText')}
      action={
        <Button variant="primary" onClick={onHome}>
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
          <Button variant="primary" onClick={onRetry}>
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
        <Button variant="primary" onClick={() => window.location.reload()}>
          {t('system.reload')}
        </Button>
      }
    />
  );
}

/**
 * Reloads the app if the server is reachable; offline, a reload would replace the app with the browser's error page. A
 * reload is needed because Chromium requests a failed module only once per document, and every later `import()` fails
 * immediately (HTML issue 6768).
 */
async function reloadIfReachable(): Promise<void> {
  try {
    const { ok } = await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' });
    if (ok) window.location.reload();
  } catch {
    // The server is unreachable, so keep showing the error screen.
  }
}

type BoundaryState = { failed: false } | { failed: true; error: unknown };

/**
 * Catches errors thrown by a screen and shows an error screen instead, which offers a retry if code failed to load. A
 * change of `location` clears the error.
 */
export class ScreenBoundary extends Component<
  { location: string; children: ReactNode },
  BoundaryState
> {
  override state: BoundaryState = { failed: false };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failed: true, error };
  }

  /** Whether the current load is a retry. */
  private isRetry = false;

  override componentDidUpdate(previous: { location: string }) {
    if (this.state.failed && previous.location !== this.props.location) this.reset();
  }

  override componentDidCatch(error: unknown) {
    const { isRetry } = this;
    this.isRetry = false;
    if (isRetry && error instanceof ChunkError) void reloadIfReachable();
  }

  private reset() {
    resetFailedChunks();
    this.setState({ failed: false });
  }

  private retry = () => {
    this.isRetry = true;
    this.reset();
  };

  override render() {
    return this.state.failed ? (
      <FailedScreen error={this.state.error} onRetry={this.retry} />
    ) : (
      this.props.children
    );
  }
}
