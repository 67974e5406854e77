"use client";
import NextLink from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * Next's link, which fetches its page once somebody points at it or comes to it by keyboard:
 * fetching whatever is in view would cost the service about twenty requests for each page that is
 * opened.
 */
export function Link({
  onPointerEnter,
  onFocus,
  prefetch,
  ...props
}: ComponentProps<typeof NextLink>) {
  const [intended, setIntended] = useState(false);
  return (
    <NextLink
      {...props}
      prefetch={prefetch ?? (intended ? null : false)}
      onPointerEnter={(event) => {
        setIntended(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setIntended(true);
        onFocus?.(event);
      }}
    />
  );
}
