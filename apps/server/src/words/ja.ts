import type { Words } from './words.ts';

export const ja: Words = {
  codeMail: {
    subject: 'Linnetの確認コード：{code}',
    lead: '確認コード：',
    expires: { other: '有効期限は{minutes}分です。' },
    newAddress: 'このコードを使って、Linnetのアカウントを作成してください。',
    knownAddress:
      'このメールアドレスはLinnetに登録済みです。このコードを使って、新しいパスワードを設定してください。',
    notRequested:
      'お心当たりがない場合は、このメールを無視してください。コードは誰にも教えないでください。',
  },
  farewellMail: {
    subject: 'Linnetのアカウントを削除しました',
    deleted: 'ご依頼のとおり、Linnetのアカウントを削除しました。',
    details:
      '録音、文字起こし、設定を削除しました。レコーダーは改めてペアリングできます。メンバーシップは更新されません。引き続き保存されるのは、請求書に必要な情報と、無料分の文字起こし時間の付与を1回に限るためのメールアドレスの一方向ハッシュ値のみです。',
    registerAgain: 'このメールアドレスで、いつでも改めて登録できます。',
  },
  push: {
    transcriptReady: '文字起こしが完了しました',
    todosDue: {
      other: '今日が期限のToDo：{count}件',
    },
    testTitle: '通知は有効です',
    testBody: 'このブラウザにLinnetからの通知が届きます。',
  },
  mail: {
    transcriptsReady: {
      other: '{count}件の文字起こしが完了しました',
    },
    more: {
      other: 'ほか{count}件の録音',
    },
    reason: 'このメールは、Linnetでメール通知をオンにしている方にお送りしています。',
    stop: 'メール通知をオフにする',
    stopText: '文字起こしとToDoについてのメールが届かなくなります。',
    stopped: 'メール通知をオフにしました',
    stoppedText: 'Linnetの「通知」ページで、いつでもオンに戻せます。',
  },
  plans: {
    monthly: 'Linnet VIP（月額）',
    annual: 'Linnet VIP（年額）',
    minutes: { other: 'Linnet 文字起こし時間 {minutes}分' },
  },
  checkout: {
    title: 'お支払い · Linnet',
    testTitle: 'テスト用のお支払いページ',
    testHint: 'どれを選んでも、料金は請求されません。',
    packageTerms: '買い切りです。文字起こし時間に有効期限はありません。',
    monthlyTerms: '自動更新を停止するまで、毎月自動で更新されます。',
    annualTerms: '自動更新を停止するまで、毎年自動で更新されます。',
    pay: '{price}を支払う',
    simulateFailure: '支払いの失敗を試す',
    cancel: 'キャンセル',
    back: 'Linnetに戻る',
    status: {
      paid: 'この注文は支払い済みです。',
      failed: '支払いに失敗しました。',
      canceled: 'この注文はキャンセルされました。',
      expired: 'この注文は期限切れです。',
      refunded: 'この注文は返金されました。',
    },
    notFound: '支払いページが見つかりません',
    notFoundHint:
      'URLが途中で切れているか、このサーバーのものではありません。Linnetに戻って、もう一度お試しください。',
  },
  note: { mindMap: 'マインドマップ' },
  share: {
    untitled: '{date}の録音',
    transcript: '文字起こし',
    summary: '要約',
    todos: 'ToDo',
    audio: '音声',
    kinds: {
      extractive: '内蔵の分析機能が文字起こしから抜き出した文です。',
      generative: 'AIが作成しました。重要な内容は文字起こしで確認してください。',
    },
    empty: 'まだありません。',
    none: 'ありません。',
    unavailable: '利用できません。',
    playFrom: '{time}から再生',
    done: '完了',
    unplayable: 'このブラウザではこの音声を再生できません。',
    download: '音声をダウンロード',
    passwordTitle: 'この録音はパスワードで保護されています',
    passwordHint: '共有した人から受け取ったパスワードを入力してください。',
    password: 'パスワード',
    open: '開く',
    wrongPassword: 'パスワードが違います',
    tooManyAttempts: '試行回数が多すぎます。しばらくしてから、もう一度お試しください。',
    invalidTitle: 'このリンクは無効です',
    invalidText:
      '有効期限が切れたか、共有が停止されたか、リンクが途中で切れています。共有した人に新しいリンクを依頼してください。',
    failedTitle: 'このページを読み込めませんでした',
    failedText: 'しばらくしてから、もう一度お試しください。',
  },
};
