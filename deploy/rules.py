"""Print the alerts in the form that the Prometheus operator reads.

Run this after each change of deploy/prometheus/alerts.yml:

    python deploy/rules.py > k8s/monitor/alerts.yaml
"""

from pathlib import Path
from textwrap import indent

ALERTS = Path(__file__).parent / "prometheus/alerts.yml"
HEAD = """\
# Made by `python deploy/rules.py > k8s/monitor/alerts.yaml` of deploy/prometheus/alerts.yml: change that.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: ludarium
spec:
"""


def rule() -> str:
    return HEAD + indent(ALERTS.read_text(), "  ")


if __name__ == "__main__":
    print(rule(), end="")
