//! The table of shapes.

/// What a token's body is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// Letters, digits, `_` and `-`.
    Word,
    /// Letters and digits.
    Alphanumeric,
    /// Capital letters and digits.
    Upper,
    /// Lower-case hexadecimal digits.
    Hex,
    /// As a word, and `.`, `=`, `+`, `/` too; one of its words must be long.
    Dotted,
}

/// A token: its beginning, and its rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub lead: &'static str,
    pub alphabet: Alphabet,
    /// The least length of the body, or its length.
    pub length: usize,
    pub is_exact: bool,
    /// Whether names may look the same, so that the body must look random.
    pub is_strict: bool,
    pub kind: &'static str,
}

const fn shape(lead: &'static str, alphabet: Alphabet, length: usize, kind: &'static str) -> Shape {
    Shape { lead, alphabet, length, is_exact: false, is_strict: false, kind }
}

const fn word(lead: &'static str, length: usize, kind: &'static str) -> Shape {
    shape(lead, Alphabet::Word, length, kind)
}

const fn plain(lead: &'static str, length: usize, kind: &'static str) -> Shape {
    shape(lead, Alphabet::Alphanumeric, length, kind)
}

const fn dotted(lead: &'static str, length: usize, kind: &'static str) -> Shape {
    shape(lead, Alphabet::Dotted, length, kind)
}

const fn hex(lead: &'static str, length: usize, kind: &'static str) -> Shape {
    Shape { is_exact: true, ..shape(lead, Alphabet::Hex, length, kind) }
}

const fn upper(lead: &'static str, length: usize, kind: &'static str) -> Shape {
    Shape { is_exact: true, ..shape(lead, Alphabet::Upper, length, kind) }
}

/// A lead that names have too.
const fn strict(lead: &'static str, length: usize, kind: &'static str) -> Shape {
    Shape { is_strict: true, ..shape(lead, Alphabet::Alphanumeric, length, kind) }
}

const MODEL: &str = "model-api-key";
const GITLAB: &str = "gitlab-token";
const SLACK: &str = "slack-token";
const AWS: &str = "aws-access-key-id";

/// Tokens by their first characters. Of leads that begin alike the longer one stands first.
pub(super) const SHAPES: [Shape; 171] = [
    // Clouds
    upper("AKIA", 16, AWS),
    upper("ASIA", 16, AWS),
    upper("ABIA", 16, AWS),
    upper("ACCA", 16, AWS),
    word("AIza", 35, "google-api-key"),
    word("GOCSPX-", 24, "google-client-secret"),
    hex("dop_v1_", 64, "digitalocean-token"),
    hex("doo_v1_", 64, "digitalocean-token"),
    hex("dor_v1_", 64, "digitalocean-token"),
    word("HRKU-", 36, "heroku-api-key"),
    strict("LTAI", 16, "alibaba-access-key-id"),
    strict("AKID", 32, "tencent-secret-id"),
    word("tskey-", 16, "tailscale-key"),
    word("fm1r_", 40, "fly-token"),
    dotted("fm2_", 40, "fly-token"),
    word("fo1_", 40, "fly-token"),
    plain("nfp_", 36, "netlify-token"),
    plain("vcp_", 24, "vercel-token"),
    plain("vck_", 24, "vercel-token"),
    plain("vca_", 24, "vercel-token"),
    plain("vercel_blob_rw_", 24, "vercel-token"),
    word("pscale_tkn_", 32, "planetscale-token"),
    word("pscale_pw_", 32, "planetscale-password"),
    word("pscale_oauth_", 32, "planetscale-token"),
    hex("sbp_", 40, "supabase-token"),
    word("sb_secret_", 22, "supabase-token"),
    hex("dapi", 32, "databricks-token"),
    hex("pul-", 40, "pulumi-token"),
    word("rnd_", 28, "render-token"),
    word("ABSK", 100, MODEL),
    dotted("IQoJb3JpZ2luX2Vj", 60, "aws-session-token"),
    dotted("FwoGZXIvYXdzE", 60, "aws-session-token"),
    Shape { is_exact: true, ..plain("npg_", 12, "neon-password") },
    plain("napi_", 60, "neon-key"),
    plain("xau_", 32, "xata-key"),
    word("tk-us-", 40, "scalingo-token"),
    plain("pnu_", 36, "prefect-key"),
    plain("pnb_", 36, "prefect-key"),
    word("dnkey-", 60, "defined-key"),
    // Code hosts and their pipelines
    word("github_pat_", 30, "github-token"),
    plain("ghp_", 30, "github-token"),
    plain("gho_", 30, "github-token"),
    plain("ghu_", 30, "github-token"),
    plain("ghs_", 30, "github-token"),
    plain("ghr_", 30, "github-token"),
    word("glpat-", 20, GITLAB),
    word("gldt-", 20, GITLAB),
    word("glrt-", 20, GITLAB),
    word("glcbt-", 20, GITLAB),
    word("glptt-", 20, GITLAB),
    word("glft-", 20, GITLAB),
    word("glsoat-", 20, GITLAB),
    word("glimt-", 20, GITLAB),
    word("glagent-", 20, GITLAB),
    word("gloas-", 20, GITLAB),
    dotted("ATATT3xFfGF0", 40, "atlassian-token"),
    dotted("ATCTT3xFfGN0", 40, "atlassian-token"),
    dotted("ATBB", 32, "bitbucket-password"),
    word("CCIPAT_", 32, "circleci-token"),
    hex("sqp_", 40, "sonar-token"),
    hex("sqa_", 40, "sonar-token"),
    hex("squ_", 40, "sonar-token"),
    word("bkua_", 32, "buildkite-token"),
    word("GR1348941", 20, GITLAB),
    word("glffct-", 20, GITLAB),
    hex("sgp_", 40, "sourcegraph-token"),
    word("CCIPRJ_", 32, "circleci-token"),
    Shape { is_strict: true, ..upper("API-", 26, "octopus-key") },
    // Package registries
    plain("npm_", 36, "npm-token"),
    word("pypi-AgE", 50, "pypi-token"),
    hex("rubygems_", 48, "rubygems-key"),
    Shape { is_exact: true, ..strict("cio", 32, "crates-token") },
    word("dckr_pat_", 20, "docker-token"),
    word("dckr_oat_", 20, "docker-token"),
    strict("oy2", 43, "nuget-key"),
    strict("AKCp", 60, "artifactory-key"),
    plain("cmVmdGtu", 50, "artifactory-token"),
    hex("CLOJARS_", 60, "clojars-token"),
    // Model providers and what agents use beside them
    word("sk-ant-", 24, MODEL),
    word("sk-proj-", 24, MODEL),
    word("sk-svcacct-", 24, MODEL),
    word("sk-admin-", 24, MODEL),
    word("sk-or-v1-", 32, MODEL),
    word("sk-lf-", 32, "langfuse-key"),
    word("lsv2_pt_", 32, "langsmith-key"),
    word("lsv2_sk_", 32, "langsmith-key"),
    strict("sk-", 20, MODEL),
    plain("hf_", 30, "huggingface-token"),
    strict("api_org_", 30, "huggingface-token"),
    plain("gsk_", 40, MODEL),
    plain("xai-", 40, MODEL),
    plain("pplx-", 40, MODEL),
    plain("r8_", 36, MODEL),
    strict("fw_", 22, MODEL),
    plain("csk-", 40, MODEL),
    word("nvapi-", 40, MODEL),
    plain("tgp_v1_", 32, MODEL),
    word("voyage-al-", 32, MODEL),
    word("pa-al-", 32, MODEL),
    word("pcsk_", 40, "pinecone-key"),
    word("tvly-", 20, "tavily-key"),
    hex("e2b_", 40, "e2b-key"),
    hex("fc-", 32, "firecrawl-key"),
    hex("sk_", 48, MODEL),
    plain("jina_", 50, MODEL),
    strict("ion_", 42, "ionic-token"),
    // Chat and mail
    word("xoxb-", 16, SLACK),
    word("xoxp-", 16, SLACK),
    word("xoxa-", 16, SLACK),
    word("xoxo-", 16, SLACK),
    word("xoxr-", 16, SLACK),
    word("xoxs-", 16, SLACK),
    word("xoxc-", 16, SLACK),
    word("xoxd-", 16, SLACK),
    word("xoxe-", 16, SLACK),
    word("xapp-", 16, SLACK),
    hex("SK", 32, "twilio-key"),
    hex("key-", 32, "mailgun-key"),
    word("xkeysib-", 64, "brevo-key"),
    word("xsmtpsib-", 64, "brevo-key"),
    Shape { is_strict: true, ..word("re_", 30, "resend-key") },
    // Payment and shops
    plain("sk_live_", 16, "stripe-key"),
    plain("sk_test_", 16, "stripe-key"),
    plain("rk_live_", 16, "stripe-key"),
    plain("rk_test_", 16, "stripe-key"),
    plain("whsec_", 24, "webhook-secret"),
    word("sq0atp-", 22, "square-token"),
    word("sq0csp-", 40, "square-secret"),
    hex("shpat_", 32, "shopify-token"),
    hex("shpca_", 32, "shopify-token"),
    hex("shppa_", 32, "shopify-token"),
    hex("shpss_", 32, "shopify-secret"),
    strict("EAA", 60, "facebook-token"),
    strict("EZAK", 54, "easypost-key"),
    strict("EZTK", 54, "easypost-key"),
    word("duffel_live_", 40, "duffel-token"),
    word("duffel_test_", 40, "duffel-token"),
    word("FLWSECK-", 16, "flutterwave-key"),
    word("FLWSECK_TEST-", 12, "flutterwave-key"),
    hex("shippo_live_", 40, "shippo-token"),
    hex("shippo_test_", 40, "shippo-token"),
    word("access-sandbox-", 36, "plaid-token"),
    word("access-development-", 36, "plaid-token"),
    word("access-production-", 36, "plaid-token"),
    plain("polar_oat_", 32, "polar-token"),
    plain("polar_pat_", 32, "polar-token"),
    // Tools of teams
    word("lin_api_", 32, "linear-key"),
    word("lin_oauth_", 32, "linear-key"),
    plain("ntn_", 40, "notion-token"),
    strict("secret_", 40, "notion-token"),
    word("figd_", 32, "figma-token"),
    word("CFPAT-", 40, "contentful-token"),
    word("PMAK-", 50, "postman-key"),
    upper("PMAT-", 26, "postman-token"),
    word("pat-na1-", 36, "hubspot-token"),
    word("pat-eu1-", 36, "hubspot-token"),
    plain("rdme_", 60, "readme-key"),
    word("tfp_", 40, "typeform-token"),
    plain("phx_", 40, "posthog-key"),
    plain("aio_", 28, "adafruit-key"),
    dotted("eyJrIjoi", 64, "grafana-key"),
    dotted("glc_", 32, "grafana-token"),
    word("glsa_", 32, "grafana-token"),
    word("NRAK-", 24, "newrelic-key"),
    word("NRII-", 24, "newrelic-key"),
    word("NRSP-", 24, "newrelic-key"),
    word("sm_pat_", 16, "settlemint-token"),
    dotted("sntrys_", 40, "sentry-token"),
    hex("sntryu_", 64, "sentry-token"),
    dotted("ops_eyJ", 48, "onepassword-token"),
    upper("AGE-SECRET-KEY-1", 58, "age-key"),
];

/// Tokens whose mark ends with a sign that parts words: the mark stays, the rest goes.
pub(super) const AFTER: [(&str, Shape); 24] = [
    ("SG.", Shape { is_exact: false, ..dotted("", 40, "sendgrid-key") }),
    ("s.", Shape { is_exact: true, ..strict("", 24, "vault-token") }),
    ("hvs.", word("", 24, "vault-token")),
    ("hvb.", word("", 24, "vault-token")),
    ("hvr.", word("", 24, "vault-token")),
    (".atlasv1.", word("", 60, "terraform-token")),
    ("dp.pt.", plain("", 40, "doppler-token")),
    ("dp.st.", plain("", 40, "doppler-token")),
    ("dp.st.dev.", plain("", 40, "doppler-token")),
    ("dp.st.stg.", plain("", 40, "doppler-token")),
    ("dp.st.prd.", plain("", 40, "doppler-token")),
    ("dp.sa.", plain("", 40, "doppler-token")),
    ("dp.ct.", plain("", 40, "doppler-token")),
    ("dp.scim.", plain("", 40, "doppler-token")),
    ("dp.audit.", plain("", 40, "doppler-token")),
    ("dt0c01.", dotted("", 80, "dynatrace-token")),
    ("v1.", word("0-", 150, "cloudflare-key")),
    ("AQ.", word("Ab8", 40, "google-api-key")),
    ("ya29.", word("", 24, "google-access-token")),
    ("1//", word("0", 40, "google-refresh-token")),
    ("xoxe.", word("xoxp-", 16, SLACK)),
    ("xoxe.", word("xoxb-", 16, SLACK)),
    ("sl.", word("", 100, "dropbox-token")),
    (":", word("AA", 33, "telegram-token")),
];
