"""Starts MiniStack, an emulator of AWS, with what it lacks of our stacks.

- It refuses a stack with a resource that it cannot make. Of the few that it lacks, none is in the way of a request: they are
  recorded without an effect, and each is written to the file PLACEHOLDERS.
- It leaves out point-in-time recovery and deletion protection, which our template switches on in the replica, and does not
  say of a table that it was restored, and imports no table with replicas. A restore of its has what is there now.
- Its API Gateway imports an OpenAPI document without the gateway responses, knows no source of identity in the context, and
  invokes functions whose policy does not allow it.
- Its evaluator of IAM knows every operator of conditions, but is not told the partition keys that a request names
  (dynamodb:LeadingKeys), nor from which address a mail is sent: both are taken from the request here.
"""

import json
import os
import re

from ministack import app
from ministack.core import iam_actions, iam_evaluator
from ministack.services import apigateway_v1 as gateway
from ministack.services import dynamodb
from ministack.services import lambda_svc as lambdas
from ministack.services.cloudformation import changesets, provisioners

handlers = provisioners._RESOURCE_HANDLERS


def record(resource_type, logical_id):
    with open(os.environ["PLACEHOLDERS"], "a", encoding="utf-8") as file:
        file.write(f"{resource_type} {logical_id}\n")


def placeholder(resource_type):
    def create(logical_id, props, stack_name):
        record(resource_type, logical_id)
        name = props.get("AlarmName") or props.get("ArchiveName") or f"{stack_name}-{logical_id}"
        return name, {"Arn": f"arn:aws:placeholder:::{name}"}

    return {
        "create": create,
        "update": lambda physical_id, *_: (physical_id, {"Arn": f"arn:aws:placeholder:::{physical_id}"}),
        "delete": lambda *_: None,
    }


def unless_math(resource_type):
    """An alarm over an expression is recorded; every other one is made."""
    made, recorded = handlers[resource_type], placeholder(resource_type)

    def choose(verb):
        def call(*given):
            has_math = any(isinstance(one, dict) and "Metrics" in one for one in given)
            return (recorded if has_math else made)[verb](*given)

        return call

    return made | {verb: choose(verb) for verb in recorded if verb in made}


handlers["AWS::CloudWatch::CompositeAlarm"] = placeholder("AWS::CloudWatch::CompositeAlarm")
handlers["AWS::Events::Archive"] = placeholder("AWS::Events::Archive")
handlers["AWS::CloudWatch::Alarm"] = unless_math("AWS::CloudWatch::Alarm")



table_handlers = handlers["AWS::DynamoDB::GlobalTable"]
given_table, given_backups = table_handlers["create"], dynamodb._describe_continuous_backups


def create_table(logical_id, props, stack_name):
    made = given_table(logical_id, props, stack_name)
    for replica in props.get("Replicas") or []:
        table, recovery = {"TableName": props["TableName"]}, replica.get("PointInTimeRecoverySpecification")
        if recovery:
            dynamodb._update_continuous_backups(table | {"PointInTimeRecoverySpecification": recovery})
        if replica.get("DeletionProtectionEnabled"):
            dynamodb._update_table(table | {"DeletionProtectionEnabled": True})
    return made


def describe_backups(request):
    """A restore has what is there now, so it is offered for the last minute alone."""
    status, headers, body = given_backups(request)
    answer = json.loads(body)
    recovery = answer.get("ContinuousBackupsDescription", {}).get("PointInTimeRecoveryDescription", {})
    if "EarliestRestorableDateTime" in recovery:
        recovery["EarliestRestorableDateTime"] -= 60
    return status, headers, json.dumps(answer).encode()


restored = {}
given_restore, given_description = dynamodb._restore_table_to_point_in_time, dynamodb._table_description


def restore_table(request):
    answer = given_restore(request)
    if answer[0] == 200:
        source = dynamodb._table_description(request["SourceTableName"])
        restored[request["TargetTableName"]] = {
            "SourceTableArn": source["TableArn"],
            "RestoreDateTime": request["RestoreDateTime"],
            "RestoreInProgress": False,
        }
    return answer


def table_description(name, *rest):
    description = given_description(name, *rest)
    return description | ({"RestoreSummary": restored[name]} if name in restored else {})


dynamodb._restore_table_to_point_in_time = restore_table
dynamodb._table_description = table_description
lookups = changesets._IMPORT_LOOKUPS
lookups["AWS::DynamoDB::GlobalTable"] = lookups["AWS::DynamoDB::Table"]
handlers["AWS::DynamoDB::GlobalTable"] = table_handlers | {
    "create": create_table,
    "import": handlers["AWS::DynamoDB::Table"]["import"],
}
dynamodb._describe_continuous_backups = describe_backups


class Keyed(str):
    """The ARN of a table, with the partition keys that a request names in it."""

    keys = ()


def keyed(arn, keys):
    named = Keyed(arn)
    named.keys = [key for key in keys if key is not None]
    return named


def text(value):
    return (value or {}).get("S")


def keys_of(request):
    """The partition keys of an operation on one table: those of an index where the condition of a query names them."""
    condition = re.search(r"(\S+)\s*=\s*(:\w+)", request.get("KeyConditionExpression") or "")
    if condition:
        return [text((request.get("ExpressionAttributeValues") or {}).get(condition.group(2)))]
    items = [request.get("Key"), request.get("Item"), *(request.get("Keys") or [])]
    for put_or_delete in request.get("Writes") or []:
        items += [one.get("Item") or one.get("Key") for one in put_or_delete.values()]
    return [text(item.get("pk")) for item in items if item]


def body_of(body):
    try:
        return json.loads(body or b"{}")
    except ValueError:
        return {}


given_resource, given_checks, given_enforce = (
    iam_actions.extract_resource_arn,
    iam_actions.dynamodb_transaction_checks,
    iam_evaluator.enforce,
)


def extract_resource_arn(service, method, path, headers, body, *rest):
    arn = given_resource(service, method, path, headers, body, *rest)
    if service != "dynamodb":
        return arn
    request = body_of(body)
    keys = keys_of(request)
    for one in (request.get("RequestItems") or {}).values():
        keys += keys_of({"Writes": one} if isinstance(one, list) else one)
    index = request.get("IndexName")
    return keyed(f"{arn}/index/{index}" if index and "/index/" not in arn else arn, keys)


def dynamodb_transaction_checks(action, body, *rest):
    items = body_of(body).get("TransactItems") or []
    keys = [keys_of(detail) for item in items for detail in item.values()]
    return [(action, keyed(arn, named)) for (action, arn), named in zip(given_checks(action, body, *rest), keys)]


def enforce(*given, resource_arn="*", service_context=None, **rest):
    context = dict(service_context or {})
    if isinstance(resource_arn, Keyed) and resource_arn.keys:
        context["dynamodb:LeadingKeys"] = resource_arn.keys
    return given_enforce(*given, resource_arn=resource_arn, service_context=context, **rest)


iam_actions.extract_resource_arn = extract_resource_arn
iam_actions.dynamodb_transaction_checks = dynamodb_transaction_checks
iam_evaluator.enforce = enforce

given_ses = app._enforce_ses_v2


def enforce_ses_v2(method, path, headers, body, query_params, request_id):
    if not path.endswith("/outbound-emails"):
        return given_ses(method, path, headers, body, query_params, request_id)
    request = body_of(body)
    sender, configuration = request.get("FromEmailAddress"), request.get("ConfigurationSetName")
    of = f"arn:aws:ses:{os.environ['MINISTACK_REGION']}:{os.environ['MINISTACK_ACCOUNT_ID']}"
    named = [f"{of}:identity/{sender}"] + ([f"{of}:configuration-set/{configuration}"] if configuration else [])
    for arn in named:
        denied = app._enforce_data_plane(
            "sesv2", "ses:SendEmail", headers, query_params, request_id,
            resource_arn=arn, service_context={"ses:FromAddress": sender}, named_resource=arn,
        )
        if denied:
            return denied
    return None


app._enforce_ses_v2 = enforce_ses_v2

given_import, given_sources = gateway._import_rest_api, gateway._request_identity_sources


def import_rest_api(spec, base_data=None):
    api_id = given_import(spec, base_data)
    for response_type, response in (spec.get("x-amazon-apigateway-gateway-responses") or {}).items():
        status, _, body = gateway._put_gateway_response(api_id, response_type, response)
        if status >= 400:
            raise ValueError(f"gateway response {response_type}: {body.decode()}")
    return api_id


def request_identity_sources(identity_source, headers, query_params, stage):
    address = "context.identity.sourceIp"
    others = ",".join(one for one in (identity_source or "").split(",") if one.strip() != address)
    present, values = given_sources(others, headers, query_params, stage)
    return present, values + (["127.0.0.1"] if address in (identity_source or "") else [])


def may_invoke(uri, source_arn):
    """Whether the policy of the function that a URI names lets the gateway invoke it for a method or an authorizer."""
    arn = uri.split("/functions/", 1)[-1].removesuffix("/invocations")
    _, _, _, region, account, *_ = arn.split(":")
    unqualified = ":".join(arn.split(":")[:7])
    function, _, _ = lambdas._get_func_record_for_ref_in_scope(unqualified, account_id=account, region=region)
    asked = iam_evaluator.EvalContext(
        principal_arn="*",
        principal_type="Service",
        principal_account="",
        action="lambda:InvokeFunction",
        resource_arn=arn,
        region=region,
        service_context={"aws:sourcearn": f"arn:aws:execute-api:{region}:{account}:{source_arn}"},
    )
    policy = (function or {}).get("policy") or {}
    return iam_evaluator.evaluate_resource_policy(policy, asked, service="apigateway.amazonaws.com").decision == "Allow"


def refused(uri):
    print(f"WARNING [lambda] the gateway may not invoke {uri}", flush=True)
    return gateway._gw_error("API_CONFIGURATION_ERROR", "Internal server error")


given_proxy, given_authorizer = gateway._invoke_lambda_proxy_v1, gateway._invoke_authorizer_lambda


async def invoke_proxy(integration, api_id, stage_name, stage, resource, path, method, *rest, **more):
    uri = integration.get("uri", "")
    if not may_invoke(uri, f"{api_id}/{stage_name}/{method}{resource['path']}"):
        return refused(uri)
    return await given_proxy(integration, api_id, stage_name, stage, resource, path, method, *rest, **more)


async def invoke_authorizer(authorizer, event, account_id, region):
    api_id = event["methodArn"].split(":")[5].split("/")[0]
    if not may_invoke(authorizer["authorizerUri"], f"{api_id}/authorizers/{authorizer['id']}"):
        refused(authorizer["authorizerUri"])
        return None
    return await given_authorizer(authorizer, event, account_id, region)


gateway._import_rest_api = import_rest_api
gateway._request_identity_sources = request_identity_sources
gateway._invoke_lambda_proxy_v1 = invoke_proxy
gateway._invoke_authorizer_lambda = invoke_authorizer

app.main()
