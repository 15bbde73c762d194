import type { Words } from './words.ts';

export const ar: Words<'zero' | 'one' | 'two' | 'few' | 'many'> = {
  codeMail: {
    subject: '{code} هو رمز التحقق في Linnet',
    lead: 'رمز التحقق:',
    expires: {
      zero: 'تنتهي صلاحيته الآن.',
      one: 'تنتهي صلاحيته بعد دقيقة واحدة.',
      two: 'تنتهي صلاحيته بعد دقيقتين.',
      few: 'تنتهي صلاحيته بعد {minutes} دقائق.',
      many: 'تنتهي صلاحيته بعد {minutes} دقيقة.',
      other: 'تنتهي صلاحيته بعد {minutes} دقيقة.',
    },
    newAddress: 'استخدم هذا الرمز لإنشاء حسابك في Linnet.',
    knownAddress: 'لديك حساب في Linnet بهذا العنوان. استخدم هذا الرمز لاختيار كلمة مرور جديدة.',
    notRequested: 'إن لم تطلب هذا الرمز فتجاهل هذه الرسالة. ولا تُطلع أحدًا على الرمز.',
  },
  farewellMail: {
    subject: 'حُذف حسابك في Linnet',
    deleted: 'حُذف حسابك في Linnet كما طلبت.',
    details:
      'حُذفت تسجيلاتك ونصوصها وإعداداتك، وأصبح مسجّلك متاحًا للربط من جديد، ولن تتجدّد العضوية. لم نحتفظ إلا بما تتطلبه الفواتير، وبقيمة تجزئة أحادية الاتجاه لهذا العنوان حتى لا تُمنح الدقائق المجانية أكثر من مرة.',
    registerAgain: 'يمكنك التسجيل بهذا العنوان من جديد متى شئت.',
  },
  plans: {
    monthly: 'عضوية Linnet VIP الشهرية',
    annual: 'عضوية Linnet VIP السنوية',
    minutes: {
      zero: 'رصيد Linnet بلا دقائق',
      one: 'رصيد Linnet: دقيقة واحدة',
      two: 'رصيد Linnet: دقيقتان',
      few: 'رصيد Linnet: {minutes} دقائق',
      many: 'رصيد Linnet: {minutes} دقيقة',
      other: 'رصيد Linnet: {minutes} دقيقة',
    },
  },
  checkout: {
    title: 'الدفع · Linnet',
    testTitle: 'صفحة دفع تجريبية',
    testHint: 'لن يُخصم منك أي مبلغ مهما اخترت.',
    packageTerms: 'تدفع مرة واحدة دون تجديد، والدقائق لا تنتهي صلاحيتها.',
    monthlyTerms: 'تتجدّد تلقائيًا كل شهر إلى أن توقف التجديد.',
    annualTerms: 'تتجدّد تلقائيًا كل سنة إلى أن توقف التجديد.',
    pay: 'دفع {price}',
    simulateFailure: 'محاكاة فشل الدفع',
    cancel: 'إلغاء',
    back: 'العودة إلى Linnet',
    status: {
      paid: 'دُفع ثمن هذا الطلب.',
      failed: 'تعذّر الدفع.',
      canceled: 'أُلغي هذا الطلب.',
      expired: 'انتهت صلاحية هذا الطلب.',
      refunded: 'رُدّ ثمن هذا الطلب.',
    },
    notFound: 'لم نعثر على صفحة الدفع',
    notFoundHint: 'العنوان غير كامل أو لا يخصّ هذا الخادم. عُد إلى Linnet ثم أعد المحاولة.',
  },
};
