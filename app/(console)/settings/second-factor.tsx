"use client";

import { startRegistration } from "@simplewebauthn/browser";
import { KeyRound, Smartphone } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { encode } from "uqr";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { consoleApi, messageOf } from "@/lib/console/api";
import { askPasskey, passkeyProblem, toAnswer } from "@/lib/console/ask-passkey";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { type ReadAnswer, reads } from "@/lib/console/reads";
import { QueryProblem } from "../_shared/query-problem";

type Factors = ReadAnswer<"/second-factor">;
type Passkey = Factors["passkeys"][number];
/** What only the owner of a second factor has. */
type Proof = { code: string } | { passkey: Awaited<ReturnType<typeof askPasskey>> };

const STALE = ["/second-factor", "/sessions"] as const;
const problemOf = (error: unknown) =>
  passkeyProblem(error) ?? messageOf(error instanceof Error ? error : null);

/** What is asked for at a sign-in beside the password. */
export function SecondFactorList() {
  const { data, error, refetch } = useConsoleQuery(reads.secondFactor);
  const [dialog, setDialog] = useState<"totp" | "passkey" | "totp-off" | "codes" | Passkey | null>(
    null,
  );
  const [codes, setCodes] = useState<string[]>([]);
  if (error && !data) return <QueryProblem error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-32 rounded-none" />;
  const hasOne = data.totp || data.passkeys.length > 0;
  const done = (made: string[] = []) => {
    setDialog(null);
    setCodes(made);
  };
  return (
    <>
      {data.missing && (
        <Alert tone="warning" title="This service asks for a second factor" className="m-4 mb-0">
          Set up an authenticator app or a passkey. Until then you can look at everything and change
          nothing.
        </Alert>
      )}
      <ul className="divide-y divide-line text-sm">
        <FactorRow
          icon={<Smartphone aria-hidden="true" className="size-4 shrink-0 text-faint" />}
          title="Authenticator app"
          badge={data.totp ? <Badge tone="success">On</Badge> : null}
          note="A code of six digits after the password."
        >
          {data.totp ? (
            <Button onClick={() => setDialog("totp-off")}>Turn off</Button>
          ) : (
            <Button onClick={() => setDialog("totp")}>Set up app</Button>
          )}
        </FactorRow>
        {data.passkeys.map((passkey) => (
          <PasskeyRow
            key={passkey.passkey_id}
            passkey={passkey}
            onRemove={() => setDialog(passkey)}
          />
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3 border-line border-t p-4 text-sm">
        <p className="text-muted">
          {hasOne
            ? `${data.recovery_codes_left} recovery codes are left.`
            : "With a second factor a stolen password opens nothing."}
        </p>
        <div className="flex flex-wrap gap-2">
          {hasOne && <Button onClick={() => setDialog("codes")}>New recovery codes</Button>}
          {data.takes_passkeys && (
            <Button onClick={() => setDialog("passkey")}>Add a passkey</Button>
          )}
        </div>
      </div>
      <TotpDialog open={dialog === "totp"} onClose={() => setDialog(null)} onDone={done} />
      <PasskeyDialog open={dialog === "passkey"} onClose={() => setDialog(null)} onDone={done} />
      <ProofDialog
        open={dialog === "totp-off"}
        title="Turn the authenticator app off?"
        action="Turn off"
        withPasskey={data.passkeys.length > 0}
        send={async (body) => {
          await consoleApi.post("/second-factor/totp/remove", { body });
          return [];
        }}
        onClose={() => setDialog(null)}
        onDone={() => done()}
      />
      <ProofDialog
        open={dialog === "codes"}
        title="Make new recovery codes?"
        action="Make new codes"
        withPasskey={data.passkeys.length > 0}
        send={async (body) =>
          (await consoleApi.post("/second-factor/recovery-codes", { body })).recovery_codes
        }
        onClose={() => setDialog(null)}
        onDone={done}
      />
      <ProofDialog
        open={dialog !== null && typeof dialog === "object"}
        title={
          "Remove the passkey " +
          `${dialog !== null && typeof dialog === "object" ? dialog.name : ""}?`
        }
        action="Remove"
        withPasskey
        send={async (body) => {
          if (dialog === null || typeof dialog !== "object") return [];
          const path = { passkey_id: dialog.passkey_id };
          await consoleApi.post("/second-factor/passkeys/{passkey_id}/remove", {
            params: { path },
            body,
          });
          return [];
        }}
        onClose={() => setDialog(null)}
        onDone={() => done()}
      />
      <CodesDialog codes={codes} onClose={() => setCodes([])} />
    </>
  );
}

interface FactorRowProps {
  icon: ReactNode;
  title: string;
  badge: ReactNode;
  note: ReactNode;
  children: ReactNode;
}

function FactorRow({ icon, title, badge, note, children }: FactorRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-3">
      {icon}
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="truncate font-medium">{title}</span>
          {badge}
        </p>
        <p className="text-faint text-xs">{note}</p>
      </div>
      <div className="flex gap-2">{children}</div>
    </li>
  );
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const [name, setName] = useState<string | null>(null);
  const path = { passkey_id: passkey.passkey_id };
  const rename = useConsoleMutation(
    (body: { name: string }) =>
      consoleApi.patch("/second-factor/passkeys/{passkey_id}", { params: { path }, body }),
    {
      done: "Renamed.",
      stale: ["/second-factor"],
      onSuccess: () => setName(null),
    },
  );
  if (name !== null) {
    return (
      <li className="px-4 py-3">
        <form
          className="flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim()) rename.mutate({ name: name.trim() });
          }}
        >
          <div className="min-w-0 flex-1 basis-48">
            <Field label="Name of the passkey">
              {(control) => (
                <Input
                  {...control}
                  value={name}
                  maxLength={100}
                  autoFocus
                  onChange={(event) => setName(event.target.value)}
                />
              )}
            </Field>
          </div>
          <Button onClick={() => setName(null)}>Cancel</Button>
          <Button type="submit" variant="primary" loading={rename.isPending}>
            Save
          </Button>
        </form>
      </li>
    );
  }
  return (
    <FactorRow
      icon={<KeyRound aria-hidden="true" className="size-4 shrink-0 text-faint" />}
      title={passkey.name}
      badge={<Badge>Passkey</Badge>}
      note={
        passkey.last_used_at ? (
          <>
            Used <RelativeTime time={passkey.last_used_at} />
          </>
        ) : (
          "Not used yet"
        )
      }
    >
      <Button aria-label={`Rename ${passkey.name}`} onClick={() => setName(passkey.name)}>
        Rename
      </Button>
      <Button aria-label={`Remove ${passkey.name}`} onClick={onRemove}>
        Remove
      </Button>
    </FactorRow>
  );
}

interface SetUpProps {
  open: boolean;
  onClose: () => void;
  onDone: (codes: string[]) => void;
}

function TotpDialog({ open, onClose, onDone }: SetUpProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Set up an authenticator app"
      description={
        "Any app that makes codes of six digits will do, such as the one of your password manager."
      }
    >
      <TotpForm onClose={onClose} onDone={onDone} />
    </Dialog>
  );
}

function TotpForm({ onClose, onDone }: Omit<SetUpProps, "open">) {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const begin = useConsoleMutation(
    () => consoleApi.post("/second-factor/totp", { body: { password } }),
    { quiet: true },
  );
  const confirm = useConsoleMutation(
    () => consoleApi.post("/second-factor/totp/confirm", { body: { code } }),
    {
      quiet: true,
      done: "The authenticator app is on. Your other sessions have ended.",
      stale: STALE,
      onSuccess: ({ recovery_codes }) => onDone(recovery_codes),
    },
  );
  const setUp = begin.data;
  if (!setUp)
    return (
      <PasswordStep
        value={password}
        onChange={setPassword}
        mutation={begin}
        action="Continue"
        onClose={onClose}
      />
    );
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate();
      }}
    >
      <div className="flex flex-wrap items-center gap-4">
        <QrCode text={setUp.uri} />
        <div className="min-w-0 flex-1 basis-40 text-sm">
          <p className="text-muted">Scan it with the app, or type this secret in:</p>
          <p className="mt-2 flex items-start gap-1">
            <code className="min-w-0 break-all font-mono text-xs">{setUp.secret}</code>
            <CopyButton text={setUp.secret} what="secret" className="size-6 shrink-0" />
          </p>
        </div>
      </div>
      <Field label="Code from the app" error={messageOf(confirm.error)}>
        {(control) => (
          <Input
            {...control}
            value={code}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            onChange={(event) => setCode(event.target.value)}
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          loading={confirm.isPending}
          disabled={code.trim() === ""}
        >
          Turn on
        </Button>
      </DialogActions>
    </form>
  );
}

interface PasswordStepProps {
  value: string;
  onChange: (password: string) => void;
  mutation: { mutate: () => void; isPending: boolean; error: Error | null };
  action: string;
  onClose: () => void;
  children?: ReactNode;
}

/** A session that somebody else has got hold of sets up nothing. */
function PasswordStep({ value, onChange, mutation, action, onClose, children }: PasswordStepProps) {
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        mutation.mutate();
      }}
    >
      {children}
      <Field label="Your password" error={mutation.error ? problemOf(mutation.error) : null}>
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="current-password"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          loading={mutation.isPending}
          disabled={value === ""}
        >
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}

const QUIET_MODULES = 4;

/** Dark on light in every scheme: what reads it expects that. */
function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => {
    const { data } = encode(text, { ecc: "M", border: QUIET_MODULES });
    const dark = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
    );
    return { size: data.length, path: dark.join("") };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label="QR code for the authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      className="size-44 rounded-md"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

type CreationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];

function PasskeyDialog({ open, onClose, onDone }: SetUpProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Add a passkey"
      description={
        "Your device, or a key that you plug in, then signs you in by itself: no password is " +
        "typed, and none can be stolen."
      }
    >
      <PasskeyForm onClose={onClose} onDone={onDone} />
    </Dialog>
  );
}

function PasskeyForm({ onClose, onDone }: Omit<SetUpProps, "open">) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const add = useConsoleMutation(
    async () => {
      const { challenge_id, options } = await consoleApi.post("/second-factor/passkeys/begin", {
        body: { password },
      });
      // As the service's library made them.
      const made = await startRegistration({ optionsJSON: options as unknown as CreationOptions });
      return consoleApi.post("/second-factor/passkeys", {
        body: { challenge_id, name: name.trim() || "Passkey", response: toAnswer(made) },
      });
    },
    {
      quiet: true,
      done: "The passkey is kept.",
      stale: STALE,
      onSuccess: ({ recovery_codes }) => onDone(recovery_codes),
    },
  );
  return (
    <PasswordStep
      value={password}
      onChange={setPassword}
      mutation={add}
      action="Continue"
      onClose={onClose}
    >
      <Field label="Name of the passkey" hint="Such as the device that it is on." optional>
        {(control) => (
          <Input
            {...control}
            value={name}
            maxLength={100}
            autoFocus
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
    </PasswordStep>
  );
}

interface ProofDialogProps {
  open: boolean;
  title: string;
  action: string;
  withPasskey: boolean;
  send: (proof: Proof) => Promise<string[]>;
  onClose: () => void;
  onDone: (codes: string[]) => void;
}

function ProofDialog({ open, title, onClose, ...form }: ProofDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={title}
      description={
        "Show that it is you: by a code from your authenticator app, a recovery code, or a passkey."
      }
    >
      <ProofForm onClose={onClose} {...form} />
    </Dialog>
  );
}

function ProofForm({
  action,
  withPasskey,
  send,
  onClose,
  onDone,
}: Omit<ProofDialogProps, "open" | "title">) {
  const [code, setCode] = useState("");
  const prove = useConsoleMutation(
    async (by: "code" | "passkey") =>
      send(by === "code" ? { code } : { passkey: await askPasskey() }),
    {
      quiet: true,
      stale: STALE,
      onSuccess: onDone,
    },
  );
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        prove.mutate("code");
      }}
    >
      <Field label="Code" error={prove.error ? problemOf(prove.error) : null}>
        {(control) => (
          <Input
            {...control}
            value={code}
            autoComplete="one-time-code"
            autoFocus
            onChange={(event) => setCode(event.target.value)}
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        {withPasskey && (
          <Button
            loading={prove.isPending && prove.variables === "passkey"}
            onClick={() => prove.mutate("passkey")}
          >
            Use a passkey
          </Button>
        )}
        <Button
          type="submit"
          variant="danger"
          loading={prove.isPending && prove.variables === "code"}
          disabled={code.trim() === ""}
        >
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}

function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <Dialog
      open={codes.length > 0}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Your recovery codes"
      description={
        "Each lets you in once when your second factor is lost. They are shown now and never " +
        "again: keep them where you keep what matters."
      }
    >
      <ul
        aria-label="Recovery codes"
        className="grid gap-1 rounded-md border border-line bg-sunken p-3 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogActions>
        <CopyButton text={codes.join("\n")} what="recovery codes" />
        <Button variant="primary" onClick={onClose}>
          I have kept them
        </Button>
      </DialogActions>
    </Dialog>
  );
}
