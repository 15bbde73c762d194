import { useState } from 'react';
import { useLanguage } from '../../i18n/index.ts';
import type { AccountState } from '../../ports/account.ts';
import './account-picture.css';

type User = Extract<AccountState, { status: 'signed-in' }>['user'];

/** Shows the user's picture, or the first letter of their name if there is no picture or it fails to load. */
export function AccountPicture({ user, size }: { user: User; size: 56 | 112 }) {
  const language = useLanguage();
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const name = user.nickname || user.email;
  return user.avatar && user.avatar !== failedUrl ? (
    <img
      className="account-picture"
      data-size={size}
      src={user.avatar}
      alt=""
      width={size}
      height={size}
      data-testid="avatar"
      onError={() => setFailedUrl(user.avatar)}
    />
  ) : (
    <span className="account-picture account-letter display" data-size={size} aria-hidden="true">
      {[...name][0]?.toLocaleUpperCase(language)}
    </span>
  );
}
