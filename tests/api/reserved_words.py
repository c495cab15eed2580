"""Words that common languages reserve, or that name types which are visible in every file.

From the references of the languages: TypeScript 5, Python 3, Kotlin 2, Swift 6, Dart 3, C# 13 and Java 21. Generators must
rename a model that has such a name, each in its own way.
"""

KEYWORDS = {
    "typescript": """
        abstract any as asserts async await bigint boolean break case catch class const constructor continue debugger
        declare default delete do else enum export extends false finally for from function get global if implements import
        in infer instanceof interface intrinsic is keyof let module namespace never new null number object of out override
        package private protected public readonly require return satisfies set static string super switch symbol this throw
        true try type typeof undefined unique unknown using var void while with yield""",
    "python": """
        and as assert async await break case class continue def del elif else except false finally for from global if import
        in is lambda match none nonlocal not or pass raise return true try type while with yield""",
    "kotlin": """
        abstract actual annotation as break by catch class companion const constructor continue crossinline data delegate do
        dynamic else enum expect external false field file final finally for fun get if import in infix init inline inner
        interface internal is lateinit noinline null object open operator out override package param private property
        protected public receiver reified return sealed set setparam super suspend tailrec this throw true try typealias
        typeof val value var vararg when where while""",
    "swift": """
        actor any as associatedtype associativity async await break case catch class continue convenience default defer
        deinit didset do dynamic else enum extension fallthrough false fileprivate final for func get guard if import in
        indirect infix init inout internal is lazy left let mutating nil none nonisolated nonmutating open operator optional
        override package postfix precedence precedencegroup prefix private protocol public repeat required rethrows return
        right self set some static struct subscript super switch throw throws true try type typealias unowned var weak where
        while willset""",
    "dart": """
        abstract as assert async await base break case catch class const continue covariant default deferred do dynamic else
        enum export extends extension external factory false final finally for function get hide if implements import in
        interface is late library mixin new null of on operator part required rethrow return sealed set show static super
        switch sync this throw true try type typedef var void when while with yield""",
    "c#": """
        abstract add alias and args as ascending async await base bool break by byte case catch char checked class const
        continue decimal default delegate descending do double dynamic else enum equals event explicit extern false field
        file finally fixed float for foreach from get global goto group if implicit in init int interface internal into is
        join let lock long managed nameof namespace new nint not notnull nuint null object on operator or orderby out
        override params partial private protected public readonly record ref remove required return sbyte scoped sealed
        select set short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked
        unmanaged unsafe ushort using value var virtual void volatile when where while with yield""",
    "java": """
        abstract assert boolean break byte case catch char class const continue default do double else enum exports extends
        final finally float for goto if implements import instanceof int interface long module native new non-sealed null
        open opens package permits private protected provides public record requires return sealed short static strictfp
        super switch synchronized this throw throws to transient transitive true false try uses var void volatile when while
        with yield""",
}
"""Keywords in lower case, as generators compare them without regard to case."""

TYPES = {
    "typescript": """
        AggregateError Array ArrayBuffer Atomics Awaited BigInt Boolean Capitalize ConstructorParameters DataView Date Error
        Event EvalError Exclude Extract Function Generator Infinity InstanceType Intl Iterator JSON Map Math NaN NonNullable
        Number Object Omit OmitThisParameter Parameters Partial Pick Promise Proxy RangeError Readonly ReadonlyArray Record
        ReferenceError Reflect RegExp Required ReturnType Set String Symbol SyntaxError ThisType TypeError Uncapitalize
        Uppercase WeakMap WeakRef WeakSet""",
    "python": """
        ArithmeticError AssertionError BaseException BytesWarning ConnectionError Ellipsis Exception IndexError KeyError
        LookupError NameError NotImplemented OSError OverflowError PermissionError RuntimeError TimeoutError TypeError
        UserWarning ValueError Warning""",
    "kotlin": """
        Annotation Any Array Boolean Byte Char CharSequence Collection Comparable Comparator Deprecated Double Enum Error
        Exception Float Function Int Iterable Iterator Lazy List Long Map Nothing Number Pair Regex Result Sequence Set
        Short String Suppress Throwable Throws Triple UByte UInt ULong UShort Unit""",
    "swift": """
        Any AnyObject Array Bool Bundle Calendar Character Clock Codable Data Date DateInterval Decimal Decodable Decoder
        Dictionary Double Duration Encodable Encoder Equatable Error Float Hashable Host Identifiable Int Locale Measurement
        Mirror Never Notification Operation Optional Port Process Range Result Scanner Sendable Sequence Set Stream String
        Substring Task Thread TimeZone Timer URL UUID Unit Void""",
    "dart": """
        BigInt Comparable DateTime Deprecated Duration Enum Error Exception Expando Finalizer Function Future Invocation
        Iterable Iterator List Map Match Null Object Pattern Record RegExp RuneIterator Runes Set Sink StackTrace Stopwatch
        Stream String StringBuffer Symbol Type Uri WeakReference""",
    "c#": """
        Action Activator Array Attribute Boolean Buffer Byte Char Console Convert DateTime Decimal Delegate Double Enum
        Environment EventArgs Exception Func Guid Half Index Int32 Int64 Lazy List Math Nullable Object Predicate Progress
        Random Range Single String Task Thread TimeSpan Timer Tuple Type Uri Version Void""",
    "java": """
        Appendable Boolean Byte Character Class Comparable Deprecated Double Enum Error Exception Float Integer Iterable
        Long Math Module ModuleLayer Number Object Override Package Process Readable Record Runnable Runtime Short String
        SafeVarargs System Thread Throwable Void""",
}
"""Types that every file sees without an import, Foundation's in Swift, and `Event` of browsers."""


def is_reserved(name: str) -> bool:
    """Return whether any of the languages reserves the name of a model."""
    keywords = {word for words in KEYWORDS.values() for word in words.split()}
    return name.lower() in keywords or name in {word for words in TYPES.values() for word in words.split()}
