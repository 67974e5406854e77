import "server-only";

/**
 * A certificate for `api.example.com` and 93.184.216.34 that signed itself, valid from 2020 to
 * 2120, with its key. It guards nothing:
 * the tests of the egress guard serve https with it on the loopback address.
 */
export const TEST_CERTIFICATE = {
  // secretlint-disable -- of a certificate that tests alone trust
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgXHpwO6gsgDGoJGhD
xtyVGJNTaCGIwz6NJF16sg4d9LWhRANCAATLW9wObc7lJmdo+MaQeVEln4O7VF2g
KI4FVdvYsdJ1TEyr+e4kZKVDtT4upuEsrKTK1gZtq0fJjuUb5xCmM3NB
-----END PRIVATE KEY-----
`,
  // secretlint-enable
  cert: `-----BEGIN CERTIFICATE-----
MIIBUTCB+KADAgECAgEBMAoGCCqGSM49BAMCMBYxFDASBgNVBAMMC2VncmVzcyB0
ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAWMRQwEgYDVQQD
DAtlZ3Jlc3MgdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMtb3A5tzuUm
Z2j4xpB5USWfg7tUXaAojgVV29ix0nVMTKv57iRkpUO1Pi6m4SyspMrWBm2rR8mO
5RvnEKYzc0GjNTAzMCAGA1UdEQQZMBeCD2FwaS5leGFtcGxlLmNvbYcEXbjYIjAP
BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIBUl9QyI5rc7aZ8AJUTz
fxs+kzWSQ4h3je2tTD92FkRnAiEAlO6LabAnj9vOUM8/hbQMDKLfgJDKhu46pKl7
SIZ+ePY=
-----END CERTIFICATE-----
`,
};
