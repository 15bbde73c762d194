import { useState } from 'react';
import { useLanguage } from '../../i18n/index.ts';
import type { AccountState } from '../../ports/account.ts';
import './account-picture.css';

type User = Extract<AccountState, { status: 'signed-in' }>['user'];

/** The user's picture, or the first letter of the name if there is none or it fails to load. */
export function AccountPicture({ user, size }: { user: User; size: 56 | 112 }) {
  const language = useLanguage();
  const [broken, setBroken] = useState<string | null>(null);
  const name = user.nickname || user.email;
  return user.avatar && user.avatar !== broken ? (
    <img
      className="account-picture"
      data-size={size}
      src={user.avatar}
      alt=""
      width={size}
      height={size}
      data-testid="avatar"
      onError={() => setBroken(user.avatar)}
    />
  ) : (
    <span className="account-picture account-letter display" data-size={size} aria-hidden="true">
      {[...name][0]?.toLocaleUpperCase(language)}
    </span>
  );
}
